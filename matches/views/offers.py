"""Aborting a match and offers to the opponent, as the players of the match see them, and their buttons."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from database.clock import current_moment
from matches import services
from matches.errors import NoSuchOffer
from matches.forms import OfferForm
from matches.models import Match, OfferKind, Status
from matches.selectors.matches import get_match
from matches.selectors.offers import obstacle_to_abort, obstacle_to_offer
from players.current_player import current_player, require_player
from players.views.buttons import button
from rules_engine.values import Side

LABELS: dict[OfferKind, str | Promise] = {
    OfferKind.TAKE_BACK: _("Ask to take back your last turn"),
    OfferKind.DRAW: _("Offer a draw"),
    OfferKind.CANCEL: _("Offer to cancel the match"),
}


@dataclass(frozen=True, slots=True)
class Offers:
    """What a player may do besides moving: the offer that stands, and what can be offered, by the buttons' labels."""

    opponent: str
    stands: str
    is_mine: bool
    may_abort: bool
    labels: dict[str, str | Promise]


def offers_of(match: Match, you: Side | None) -> Offers | None:
    """Return what a player may do in a running match outside of competitions, ``None`` for everybody else."""
    if you is None or match.status != Status.PLAYING or match.competition is not None:
        return None
    offer = match.standing_offer
    possible = [kind for kind in LABELS if obstacle_to_offer(match, you, kind) is None]
    return Offers(
        opponent=match.players[you.opponent].username,
        stands=str(offer.kind) if offer else "",
        is_mine=offer is not None and offer.side is you,
        may_abort=obstacle_to_abort(match) is None,
        labels={str(kind): LABELS[kind] for kind in possible if offer is None or offer.kind is not kind},
    )


@never_cache
@require_safe
def offer_state(request: HttpRequest, match_id: int) -> HttpResponse:
    """Return the part of the page about offers; it is empty for those who do not play."""
    match = get_match(match_id)
    player = current_player(request)
    offers = offers_of(match, match.side_of(player.pk if player else None))
    return render(request, "matches/parts/offers.html", {"match": match, "offers": offers})


@button
def abort(request: HttpRequest, match_id: int) -> HttpResponse:
    """Abort the match."""
    return redirect(services.abort(match_id=match_id, player=require_player(request), now=current_moment()))


@button
def make_offer(request: HttpRequest, match_id: int) -> HttpResponse:
    """Offer something to the opponent."""
    kind, player = _kind(request), require_player(request)
    return redirect(services.make_offer(match_id=match_id, player=player, kind=kind, now=current_moment()))


@button
def accept_offer(request: HttpRequest, match_id: int) -> HttpResponse:
    """Accept what the opponent offers."""
    kind, player = _kind(request), require_player(request)
    return redirect(services.accept_offer(match_id=match_id, player=player, kind=kind, now=current_moment()))


@button
def decline_offer(request: HttpRequest, match_id: int) -> HttpResponse:
    """Decline what the opponent offers, or withdraw the player's own offer."""
    return redirect(services.decline_offer(match_id=match_id, player=require_player(request), now=current_moment()))


def _kind(request: HttpRequest) -> OfferKind:
    form = OfferForm(request.POST)
    if not form.is_valid():
        raise NoSuchOffer(_("There is no such offer."))
    return OfferKind(form.cleaned_data["kind"])
