"""Adjudication: how organisers and competitions end and annul matches."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from matches import clock
from matches.errors import MatchOver
from matches.models import ClockExtension, ExtensionKind, Match, Status
from matches.selectors.matches import get_match
from matches.services import progress
from matches.services.after_commit import notify_changed, notify_move
from matches.services.conditional_answers import forget_answers
from matches.services.expiry import expire_match, expire_together
from rules_engine.values import Ending, Outcome, Side


def note_pause(
    *, match: Match, side: str, length: timedelta, now: datetime, kind: ExtensionKind = ExtensionKind.PAUSE
) -> None:
    """Store that the clock of the side to act has stood still for so long, until now."""
    ClockExtension.objects.create(
        match=match,
        kind=kind,
        ply=match.ply,
        side=side,
        milliseconds=length // clock.MILLISECOND,
        granted_at=now,
    )
    match.extensions += 1
    Match.objects.filter(pk=match.pk).update(extensions=match.extensions)


Decide = Callable[[Match], Outcome]
"""Returns how a running match ends, by its state at that moment."""


def adjudicate_match(*, match_id: int, winner: Side | None, now: datetime) -> Match:
    """End a running match by a decision and return it; its score stays as it is.

    A second call with the same winner has no effect. Raises ``MatchNotFound`` or ``MatchOver``.
    """
    now = clock.whole_millisecond(now)
    # A match whose time has run out is decided by that, though nothing may have ended it yet.
    expire_match(match_id=match_id, now=now)

    def decide(match: Match) -> Outcome:
        return Outcome(winner, Ending.ADJUDICATION, match.state.score)

    try:
        return _end(match_id, decide, now)
    except MatchOver:
        match = get_match(match_id)
        if match.outcome != decide(match):
            raise
        return match


def adjudicate_by_score(
    *, match_ids: Collection[int], now: datetime, untouched_is_forfeited: bool = False
) -> list[int]:
    """End those of the matches that are running and return them: the side that leads wins, a level match has no winner.

    A match in which nobody has moved yet may be forfeited by both instead. Raises ``MatchNotFound``.
    """

    def decide(match: Match) -> Outcome:
        return Outcome(match.side_ahead, Ending.ADJUDICATION, match.state.score)

    return _end_all(match_ids, _unless_untouched(decide) if untouched_is_forfeited else decide, now)


def forfeit_matches(*, losers: Mapping[int, Side | None], now: datetime) -> list[int]:
    """End those of the matches that are running and return them: a side forfeits, or both do.

    ``losers`` are sides by matches, ``None`` for both. Raises ``MatchNotFound``.
    """
    return _end_all(losers, lambda match: _forfeited(match, losers[match.pk]), now)


def forfeit_to_move(*, match_ids: Collection[int], now: datetime, untouched_is_forfeited: bool = False) -> list[int]:
    """End those of the matches that are running and return them: the side to act forfeits.

    A match in which nobody has moved yet may be forfeited by both instead. Raises ``MatchNotFound``.
    """

    def decide(match: Match) -> Outcome:
        return _forfeited(match, Side(match.side))

    return _end_all(match_ids, _unless_untouched(decide) if untouched_is_forfeited else decide, now)


def break_off(*, match_ids: Collection[int], now: datetime) -> list[int]:
    """End those of the matches that are running without counting them, and return them.

    What has ended by itself, or on time, is left alone: it counts. Raises ``MatchNotFound``.
    """
    with transaction.atomic():
        ended = _end_all(match_ids, _undecided, now)
        Match.objects.filter(pk__in=ended).update(annulled_at=clock.whole_millisecond(now))
    return ended


def annul_match(*, match_id: int, now: datetime) -> Match:
    """Annul a match and return it; a running match ends without a winner.

    A second call has no effect. The caller notifies what counts the match. Raises ``MatchNotFound``.
    """
    now = clock.whole_millisecond(now)
    with transaction.atomic():
        # It may be over, or end by itself at this very moment.
        with suppress(MatchOver):
            _end(match_id, _undecided, now)
        if Match.objects.filter(pk=match_id, annulled_at=None).update(annulled_at=now):
            notify_changed([match_id])
        return get_match(match_id)


def mark_corrected(*, match_ids: Collection[int], at: datetime | None) -> None:
    """Note since when another result counts for matches than theirs, ``None`` for no longer."""
    if Match.objects.filter(pk__in=match_ids).update(corrected_at=at):
        notify_changed(list(match_ids))


def _end_all(match_ids: Collection[int], decide: Decide, now: datetime) -> list[int]:
    """End those of the matches that are running, except overdue ones, and return them.

    The matches may all be ended in one transaction: no player is locked any more once the first of them is.
    """
    now = clock.whole_millisecond(now)
    expire_together(matches=Match.objects.filter(pk__in=match_ids), now=now)
    ended = []
    for match_id in sorted(match_ids):
        with suppress(MatchOver):
            _end(match_id, decide, now)
            ended.append(match_id)
    return ended


def _end(match_id: int, decide: Decide, now: datetime) -> Match:
    """End a match by a decision on its current state. Raises ``MatchOver``."""
    # If a move was stored first, the next attempt reads the match as the move left it.
    while (match := _try_to_end(match_id, decide, now)) is None:
        pass
    return match


def _try_to_end(match_id: int, decide: Decide, now: datetime) -> Match | None:
    with transaction.atomic():
        match = get_match(match_id)
        if match.status == Status.FINISHED:
            raise MatchOver(_("The match is over."))
        # A rule may date the end in the past: no match ends before its last move.
        at = max(now, match.last_move_at)
        stood_still = timedelta(0) if match.paused_at is None else clock.spent(match.paused_at, at)
        side = match.side
        if stood_still:
            # The decision may be taken back: then the clock goes on from where it stood.
            progress.shift(match, stood_still)
        progress.finish(match, decide(match), at)
        if not progress.store(match, ply=match.ply):
            return None
        if stood_still:
            note_pause(match=match, side=side, length=stood_still, now=at)
        forget_answers([match_id])
        notify_move(match)
    return match


def _undecided(match: Match) -> Outcome:
    return Outcome(None, Ending.ADJUDICATION, match.state.score)


def _forfeited(match: Match, loser: Side | None) -> Outcome:
    return Outcome(None if loser is None else loser.opponent, Ending.FORFEIT, match.state.score)


def _unless_untouched(decide: Decide) -> Decide:
    """Return a decision by which both sides forfeit a match of which all moves so far are rolls."""
    return lambda match: _forfeited(match, None) if match.ply == match.rolls else decide(match)
