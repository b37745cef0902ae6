"""The service by which a player resigns a match."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches import clock
from matches.errors import MatchOver, NotYourMatch, TooLate
from matches.models import Match, Status
from matches.selectors.matches import get_match
from matches.services import progress
from matches.services.after_commit import notify_move
from matches.services.site_pauses import give_back_if_late
from matches.services.vacation_hours import take_vacation
from players.models import Player
from rules_engine.values import Ending, Outcome


def resign(*, match_id: int, player: Player, now: datetime) -> Match:
    """Resign a match and return it; the opponent wins. It does not matter whose turn it is.

    A second call by the same player has no effect. Raises ``MatchNotFound``, ``NotYourMatch``, ``MatchOver``, or
    ``TooLate`` when the match is already decided by the clock.
    """
    now = clock.whole_millisecond(now)
    # If a move was stored first, the next attempt reads the match as the move left it.
    while (match := _try_to_resign(match_id, player, now)) is None:
        pass
    return match


def _try_to_resign(match_id: int, player: Player, now: datetime) -> Match | None:
    with transaction.atomic():
        match = give_back_if_late(get_match(match_id), now)
        side = match.side_of(player.pk)
        if side is None:
            raise NotYourMatch(_("You do not play in this match."))
        if match.ending == Ending.RESIGNATION and match.winner == side.opponent:
            return match
        if match.status == Status.FINISHED:
            raise MatchOver(_("The match is over."))
        if match.is_late(now) and match.player_to_act is not None:
            take_vacation(player_id=match.player_to_act.pk, now=now)
            match = get_match(match_id)
        if match.is_late(now):
            raise TooLate(_("The time of the side to act has run out: the match is decided."))
        progress.finish(match, Outcome(side.opponent, Ending.RESIGNATION, match.state.score), now)
        if not progress.store(match, ply=match.ply):
            return None
        notify_move(match)
    return match
