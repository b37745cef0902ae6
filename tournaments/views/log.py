"""The log of a competition: everything that was announced and done, for its players to read."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players.current_player import current_player
from tournaments.selectors.changes import listed_lines
from tournaments.views.competition import find_competition

PAGE = 50


@never_cache
@require_safe
def competition_log(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Return the log of the ladder or cup, the latest first, by pages."""
    competition = find_competition(kind, slug, current_player(request))
    entries = listed_lines(competition)
    page = Paginator(entries, PAGE).get_page(request.GET.get("page"))
    return render(request, "tournaments/log.html", {"section": f"{kind}s", "competition": competition, "page": page})
