"""The rematch of a finished match, as its two players see it."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from database.clock import current_moment
from matches.models import Match, Status
from matches.selectors.matches import get_match
from matches.selectors.rated_games import why_casual
from matches.selectors.seeks import rematch_offers
from players.current_player import current_player
from rules_engine.values import Side


@dataclass(frozen=True, slots=True)
class Rematch:
    """A rematch: ``none`` yet, ``offered`` by the opponent, ``awaited`` by the player, or ``begun`` at a URL.

    ``casual`` says why it will not be rated although the match was.
    """

    state: str
    opponent: str
    url: str = ""
    casual: str = ""


def rematch_of(match: Match, you: Side | None) -> Rematch | None:
    """Return the rematch for a player of a finished match, ``None`` for everybody else and before the end.

    With a closed account there is no rematch, unless it has begun.
    """
    if you is None or match.status != Status.FINISHED:
        return None
    opponent = match.players[you.opponent]
    offers = list(rematch_offers(match))
    begun = next((offer.match_id for offer in offers if offer.match_id is not None), None)
    if begun is not None:
        return Rematch("begun", opponent.username, reverse("match", args=[begun]))
    if not opponent.is_active:
        return None
    casual = why_casual(match.players[you], opponent, now=current_moment()) if match.is_rated else ""
    if not offers:
        return Rematch("none", opponent.username, casual=casual)
    is_offered = any(offer.creator_id == opponent.pk for offer in offers)
    return Rematch("offered" if is_offered else "awaited", opponent.username, casual=casual)


@never_cache
@require_safe
def rematch_state(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the part of the page about the rematch; it is empty for those who did not play."""
    match = get_match(match_id)
    player = current_player(request)
    rematch = rematch_of(match, match.side_of(player.pk if player else None))
    return render(request, "matches/parts/rematch.html", {"match": match, "rematch": rematch})
