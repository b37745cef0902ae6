"""The rating lists."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players.current_player import current_player
from players.models import Rating
from tournaments.models.game_families import FAMILIES
from tournaments.tables.selectors.rating_places import count_before, count_listed, place_of
from tournaments.tables.selectors.records import BEST_FIRST, rating_list
from web.pages.keyset_pages import keyset_page

PAGE = 50


@never_cache
@require_safe
def rating_lists(request: HttpRequest) -> HttpResponse:
    """Return the players of a game by rating, by pages; ``?game=`` is another family of games."""
    family = request.GET.get("game") or next(iter(FAMILIES))
    if family not in FAMILIES:
        raise Http404(_("There is no such game."))
    page = keyset_page(rating_list(family), request.GET.get("page"), size=PAGE, order=BEST_FIRST)
    before = count_before(page.object_list[0]) if page.previous else 0
    player = current_player(request)
    own = Rating.objects.filter(player=player, family=family).first() if player else None
    context = {
        "section": "players",
        "families": FAMILIES,
        "family": family,
        "page": page,
        "start": before + 1,
        "end": before + len(page.object_list),
        "listed": count_listed(family),
        "own": own,
        "own_place": place_of(own) if own else None,
    }
    return render(request, "tournaments/players.html", context)
