"""The log of a competition: everything that was announced and done, for its players to read."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players.current_player import current_player
from tournaments.office.selectors.changes import listed_lines
from tournaments.office.views import find_competition
from web.pages.keyset_pages import keyset_page

PAGE = 50


@never_cache
@require_safe
def competition_log(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Return the log of the ladder or cup, the latest first, by pages."""
    competition = find_competition(kind, slug, current_player(request))
    page = keyset_page(listed_lines(competition), request.GET.get("page"), size=PAGE)
    return render(request, "tournaments/log.html", {"section": f"{kind}s", "competition": competition, "page": page})
