"""The service by which a player resigns a match."""

from datetime import datetime

from django.db import transaction

from matches import clock
from matches.errors import MatchOver
from matches.models import Match
from matches.selectors.matches import get_match
from matches.services import progress
from matches.services.after_commit import notify_move
from matches.services.conditional_answers import forget_answers
from matches.services.running_match import lock_running
from players.models import Player
from rules_engine.values import Ending, Outcome


@transaction.atomic
def resign(*, match_id: int, player: Player, now: datetime) -> Match:
    """Resign a match and return it; the opponent wins. It does not matter whose turn it is.

    A second call by the same player has no effect. Raises ``MatchNotFound``, ``NotYourMatch``, ``MatchOver``, or
    ``TooLate`` when the match is already decided by the clock.
    """
    now = clock.whole_millisecond(now)
    try:
        match, side = lock_running(match_id=match_id, player=player, now=now)
    except MatchOver:
        match = get_match(match_id)
        if match.ending == Ending.RESIGNATION and match.winner != match.side_of(player.pk):
            return match
        raise
    progress.finish(match, Outcome(side.opponent, Ending.RESIGNATION, match.state.score), now)
    progress.store(match, ply=match.ply)
    forget_answers([match.pk])
    notify_move(match)
    return match
