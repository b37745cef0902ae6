"""Ends that the rules of the game do not know: resignation and lost on time."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction

from matches import clock
from matches.errors import MatchOver, NotYourMatch, TooLate
from matches.models import Match
from matches.selectors.matches import get_match, overdue_matches
from matches.services import progress
from matches.services.doorbells import ring
from players.models import Player
from rules_engine.values import Ending, Outcome, Side

BATCH = 500

logger = structlog.get_logger(__name__)


def resign(*, match_id: int, player: Player, now: datetime) -> Match:
    """Give a match up and return it; the opponent wins. Either side may, whoever is to act.

    A player who has resigned may do so again without effect. Raises ``MatchNotFound``,
    ``NotYourMatch``, ``MatchOver``, or ``TooLate`` when the match is already decided by the clock.
    """
    now = clock.whole_millisecond(now)
    # Who is overtaken by a move finds at the second look that the match has gone on.
    while (match := _try_to_resign(match_id, player, now)) is None:
        pass
    return match


def _try_to_resign(match_id: int, player: Player, now: datetime) -> Match | None:
    with transaction.atomic():
        match = get_match(match_id)
        side = match.side_of(player.pk)
        if side is None:
            raise NotYourMatch("You do not play in this match.")
        if match.ending == Ending.RESIGNATION and match.winner == side.opponent:
            return match
        if match.deadline is None:
            raise MatchOver("The match is over.")
        if clock.is_late(match.deadline, now):
            raise TooLate("The time of the side to act has run out: the match is decided.")
        progress.finish(match, Outcome(side.opponent, Ending.RESIGNATION, match.state.score), now)
        if not progress.store(match, ply=match.ply):
            return None
        ring(match)
    return match


def expire_match(*, match_id: int, now: datetime) -> bool:
    """End a match whose deadline has passed, dated at the deadline; return whether this call did it.

    A match that another transaction is at work on is left to it.
    """
    with transaction.atomic():
        match = (
            overdue_matches(now)
            .select_related("yellow", "red")
            .select_for_update(skip_locked=True, of=("self",))
            .filter(pk=match_id)
            .first()
        )
        if match is None or match.deadline is None:
            return False
        outcome = Outcome(Side(match.side).opponent, Ending.TIMEOUT, match.state.score)
        progress.finish(match, outcome, match.deadline)
        if not progress.store(match, ply=match.ply):
            return False
        ring(match)
    return True


def expire_due(*, now: datetime, limit: int = BATCH) -> int:
    """End up to ``limit`` matches whose deadline has passed; return how many this call ended.

    Each has a transaction of its own, so that one broken match stops none of the others.
    """
    ended = 0
    for match_id in overdue_matches(now).values_list("pk", flat=True)[:limit]:
        try:
            ended += expire_match(match_id=match_id, now=now)
        except Exception:
            logger.exception("match_not_expired", match_id=match_id)
    return ended
