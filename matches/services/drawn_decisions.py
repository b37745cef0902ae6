"""Late decisions that are drawn, in matches with a time for each decision.

Each is dated at its own deadline and drawn from the match's seed, so nothing depends on when a worker comes, or how
many come at once.
"""

from __future__ import annotations

from datetime import datetime

from matches.models import Match, Status
from matches.selectors.matches import count_drawn, get_match
from matches.services import progress
from matches.services.after_commit import notify_move
from matches.services.move_storage import store_moves
from rules_engine.values import Side


def draw_late_decisions(*, match_id: int, now: datetime) -> bool:
    """Draw every decision of a match whose time was over until ``now``; return whether that ended the match."""
    has_ended = False
    while _is_late(match := get_match(match_id), now):
        moves = progress.draw_move(match, count_drawn(match, Side(match.side)))
        if store_moves(match, moves):
            notify_move(match)
            has_ended = match.status == Status.FINISHED
    return has_ended


def _is_late(match: Match, now: datetime) -> bool:
    return match.time_control.by_decision and match.is_running and match.is_late(now)
