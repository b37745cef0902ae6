"""The log of a competition: everything that was announced and done, for its players to read."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players.current_player import current_player
from tournaments.models.rights import Right
from tournaments.office.selectors.changes import listed_lines, with_former_texts
from tournaments.office.selectors.organisers import rights_in
from tournaments.office.views import find_competition
from web.pages.keyset_pages import keyset_page

PAGE = 50


@never_cache
@require_safe
def competition_log(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Return the log of the ladder or cup, the latest first, by pages."""
    player = current_player(request)
    competition = find_competition(kind, slug, player)
    rights, lines = rights_in(competition=competition, player=player), listed_lines(competition)
    if Right.ORGANISE in rights:
        lines = with_former_texts(lines)
    page = keyset_page(lines, request.GET.get("page"), size=PAGE)
    context = {"section": f"{kind}s", "competition": competition, "page": page, "rights": rights}
    return render(request, "tournaments/log.html", context)
