"""The pages of competitions that come again: all of them, and one with its seasons and everybody's history."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players.current_player import current_player
from tournaments.selectors.organisers import role_in
from tournaments.selectors.season_history import MAX_SEASONS, history_of, players_through
from tournaments.selectors.series import (
    awaited_final,
    finals_of,
    get_series,
    last_season_of,
    list_series,
    next_season_of,
    seasons_of,
)
from tournaments.sentences import carry_over_text, rhythm_text
from web.keyset_pages import keyset_page

PAGE = 50
SEASONS = 20


@never_cache
@require_safe
def all_series(request: HttpRequest) -> HttpResponse:
    """List the competitions that come again, by pages."""
    page = keyset_page(list_series(), request.GET.get("page"), size=PAGE)
    rows = [(series, rhythm_text(series)) for series in page]
    return render(request, "tournaments/series/all.html", {"section": "cups", "page": page, "rows": rows})


@never_cache
@require_safe
def series_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a series: when it comes, its seasons with their winners, and what became of everybody."""
    series = get_series(slug=slug)
    last = last_season_of(series)
    seasons = keyset_page(seasons_of(series), request.GET.get("seasons"), size=SEASONS, order=("-season",))
    shown = list(seasons_of(series).exclude(started_at=None)[:MAX_SEASONS])
    players = Paginator(players_through(series), PAGE).get_page(request.GET.get("page"))
    player = current_player(request)
    context = {
        "section": "cups",
        "series": series,
        "rhythm": rhythm_text(series),
        "carry_over": carry_over_text(series),
        "next_season": None if last is None else next_season_of(series, last),
        "runs": last is not None and role_in(competition=last, player=player) is not None,
        "last": last,
        "seasons": seasons,
        "awaited": awaited_final(series, now=timezone.now()),
        "finals": list(finals_of(series)[:SEASONS]),
        "shown": shown,
        "players": players,
        "history": history_of(
            series, players=list(players.object_list), seasons=[season.season or 1 for season in shown]
        ),
    }
    return render(request, "tournaments/series/series.html", context)
