"""The rating lists."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players.current_player import current_player
from players.models import Rating
from tournaments.game_families import FAMILIES
from tournaments.selectors.records import rating_list

PAGE = 50


@never_cache
@require_safe
def rating_lists(request: HttpRequest) -> HttpResponse:
    """Return the players of a game by rating, by pages; ``?game=`` is another family of games."""
    family = request.GET.get("game") or next(iter(FAMILIES))
    if family not in FAMILIES:
        raise Http404(_("There is no such game."))
    ratings = rating_list(family)
    page = Paginator(ratings, PAGE).get_page(request.GET.get("page"))
    player = current_player(request)
    own = Rating.objects.filter(player=player, family=family).first() if player else None
    context = {
        "section": "players",
        "families": FAMILIES,
        "family": family,
        "page": page,
        "own": own,
        "own_place": 1 + ratings.filter(rating__gt=own.rating).count() if own else None,
    }
    return render(request, "tournaments/players.html", context)
