"""A running match, locked for what one of its players does besides moving."""

from datetime import datetime

from django.utils.translation import gettext as _

from matches.errors import MatchOver, NotYourMatch, TooLate
from matches.models import Match, Status
from matches.selectors.matches import get_match
from matches.services.site_pauses import give_back_if_late
from matches.services.vacation_hours import take_vacation
from players.models import Player
from rules_engine.values import Side


def lock_running(*, match_id: int, player: Player, now: datetime) -> tuple[Match, Side]:
    """Return a match, locked until the transaction ends, and the player's side. It does not matter whose turn it is.

    A late clock is saved by vacation if it can be. Raises ``MatchNotFound``, ``NotYourMatch``, ``MatchOver``, or
    ``TooLate`` when the match is already decided by the clock.
    """
    match = give_back_if_late(get_match(match_id), now)
    side = match.side_of(player.pk)
    if side is None:
        raise NotYourMatch(_("You do not play in this match."))
    if match.is_late(now) and match.player_to_act is not None:
        take_vacation(player_id=match.player_to_act.pk, now=now)
    list(Match.objects.select_for_update(no_key=True).filter(pk=match_id).values_list("pk"))
    match = get_match(match_id)
    if match.status == Status.FINISHED:
        raise MatchOver(_("The match is over."))
    if match.is_late(now):
        raise TooLate(_("The time of the side to act has run out: the match is decided."))
    return match, side
