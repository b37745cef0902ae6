"""What an organiser, or a competition's rule, does to a match from outside."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction

from matches import clock
from matches.errors import MatchOver
from matches.models import ClockExtension, Match, Status
from matches.selectors.matches import get_match
from matches.services import progress
from matches.services.doorbells import ring, ring_changed
from matches.services.expiring import expire_match
from rules_engine.values import Ending, Outcome, Side


def adjudicate_match(*, match_id: int, winner: Side | None, now: datetime) -> Match:
    """End a running match by a decision and return it; its score stays as it is.

    Again with the same winner has no effect. Raises ``MatchNotFound`` or ``MatchOver``.
    """
    return _end(match_id, lambda match: Outcome(winner, Ending.ADJUDICATION, match.state.score), now)


def adjudicate_by_score(*, match_id: int, now: datetime) -> Match:
    """End a running match and return it: whoever has scored more wins, nobody when the score is level.

    Again has no effect while the score is the same. Raises ``MatchNotFound`` or ``MatchOver``.
    """
    return _end(match_id, lambda match: Outcome(_leader(match), Ending.ADJUDICATION, match.state.score), now)


def forfeit_match(*, match_id: int, loser: Side | None, now: datetime) -> Match:
    """End a running match that a side has given up by its absence, or both (``None``), and return it.

    Again with the same loser has no effect. Raises ``MatchNotFound`` or ``MatchOver``.
    """
    winner = None if loser is None else loser.opponent
    return _end(match_id, lambda match: Outcome(winner, Ending.FORFEIT, match.state.score), now)


def extend_bank(*, match_id: int, side: Side, by: timedelta, now: datetime) -> timedelta:
    """Give a side of a running match more time, up to the cap; return how much it got.

    Whoever has lost on time is not helped any more. Raises ``MatchNotFound``, ``MatchOver``, or ``ValueError``
    for no time or less.
    """
    now = clock.whole_millisecond(now)
    if by < clock.MILLISECOND:
        raise ValueError("A clock is extended by a millisecond at least.")
    expire_match(match_id=match_id, now=now)
    while (given := _try_to_extend(match_id, side, by, now)) is None:
        pass
    return given


def annul_match(*, match_id: int, now: datetime) -> Match:
    """Make a match count nowhere and return it; one that is still played ends without a winner.

    Again has no effect. Whoever counts matches has to be told by the caller. Raises ``MatchNotFound``.
    """
    with transaction.atomic():
        match = get_match(match_id)
        if match.status == Status.PLAYING:
            # It may end by itself at this very moment.
            with suppress(MatchOver):
                adjudicate_match(match_id=match_id, winner=None, now=now)
        Match.objects.filter(pk=match_id, annulled_at=None).update(annulled_at=clock.whole_millisecond(now))
        return get_match(match_id)


def _end(match_id: int, decide: Callable[[Match], Outcome], now: datetime) -> Match:
    now = clock.whole_millisecond(now)
    # A match whose time has run out is decided by that, though nothing may have ended it yet.
    expire_match(match_id=match_id, now=now)
    # Who is overtaken by a move finds at the second look that the match has gone on.
    while (match := _try_to_end(match_id, decide, now)) is None:
        pass
    return match


def _try_to_end(match_id: int, decide: Callable[[Match], Outcome], now: datetime) -> Match | None:
    with transaction.atomic():
        match = get_match(match_id)
        outcome = decide(match)
        if match.outcome == outcome:
            return match
        if match.status == Status.FINISHED:
            raise MatchOver("The match is over.")
        progress.finish(match, outcome, now)
        if not progress.store(match, ply=match.ply):
            return None
        ring(match)
    return match


def _try_to_extend(match_id: int, side: Side, by: timedelta, now: datetime) -> timedelta | None:
    with transaction.atomic():
        match = get_match(match_id)
        if match.status == Status.FINISHED:
            raise MatchOver("The match is over.")
        at = match.paused_at or now
        given = progress.extend(match, side, by, at)
        if not given:
            return given
        if not progress.store(match, ply=match.ply):
            return None
        ClockExtension.objects.create(
            match=match, ply=match.ply, side=side, milliseconds=given // clock.MILLISECOND, granted_at=at
        )
        Match.objects.filter(pk=match_id).update(extensions=match.extensions + 1)
        ring_changed([match_id])
    return given


def _leader(match: Match) -> Side | None:
    yellow, red = match.state.score
    if yellow == red:
        return None
    return Side.YELLOW if yellow > red else Side.RED
