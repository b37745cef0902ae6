"""Rematches: invitations of the same opponent with the sides swapped."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.errors import MatchNotOver, NotYourMatch
from matches.models import Colour, Match, Seek, SeekStatus, Status
from matches.selectors.matches import get_match
from matches.selectors.rated_games import why_casual
from matches.selectors.seeks import rematch_offers
from matches.services.seeks import open_seek, take_seek
from players.models import Player


def offer_rematch(*, match_id: int, player: Player, now: datetime) -> Seek:
    """Offer the opponent of a finished match a rematch, or accept their offer, and return the seek.

    ``seek.match`` is the rematch if there is one: when the opponent has offered one before, or is the
    computer. Offering again has no effect. Of a rated match it is casual once both have used up
    their rated games. Raises ``MatchNotFound``, ``NotYourMatch``,
    ``MatchNotOver``, ``TooManyInvitations`` or ``TooManyComputerMatches``.
    """
    with transaction.atomic():
        match = get_match(match_id)
        side = match.side_of(player.pk)
        if side is None:
            raise NotYourMatch(_("You did not play in this match."))
        if match.status != Status.FINISHED:
            raise MatchNotOver(_("The match is not over yet."))
        Match.objects.select_for_update().get(pk=match.pk)
        standing = rematch_offers(match).select_related("creator", "invited", "match")
        offers = {offer.creator_id: offer for offer in standing}
        if (taken := next((offer for offer in offers.values() if offer.match is not None), None)) is not None:
            return taken
        opponent = match.players[side.opponent]
        if (theirs := offers.get(opponent.pk)) is not None:
            theirs.match = take_seek(seek_id=theirs.pk, player=player, now=now)
            theirs.status = SeekStatus.TAKEN
            return theirs
        return offers.get(player.pk) or open_seek(
            creator=player,
            invited=opponent,
            game=match.game,
            colour=Colour(side.opponent),
            time_control=match.time_control,
            now=now,
            rematch_of=match,
            is_rated=match.is_rated and not why_casual(player, opponent, now=now),
        )
