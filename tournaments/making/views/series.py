"""The pages of competitions that come again: all of them, one with its seasons and history, and the organisers' own."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from database.clock import current_moment
from players.current_player import current_player
from players.views.buttons import own_form
from tournaments.desk.views.desk import frame, organised_competition, organiser_of
from tournaments.making.again_forms import SeriesForm
from tournaments.making.selectors.season_history import (
    MAX_SEASONS,
    groups_about,
    history_of,
    order_by_place,
    seasons_about,
    seats_in,
    stages_with_groups,
    with_players,
)
from tournaments.making.selectors.series import (
    awaited_final,
    finals_of,
    get_series,
    last_season_of,
    list_series,
    next_season_of,
    seasons_of,
    usual_options,
)
from tournaments.making.sentences import carry_over_text, rhythm_text
from tournaments.making.services.series import SERIES_OPTIONS, edit_series, end_series, make_series
from tournaments.models import NOT_ENDED, Competition, Series
from tournaments.models.series import MAX_SERIES_NAME
from tournaments.office.selectors.organisers import role_in
from tournaments.office.stage_names import name_stages
from tournaments.office.views import asked_number, topics_of
from tournaments.pages.views.groups import MAX_LETTERS
from web.errors import DomainError
from web.pages.keyset_pages import keyset_page

PAGE = 50
SEASONS = 20

MAX_CURRENT = 3
"""The most seasons that run or are next which stand at the top: the first of those on the page."""

PLAYERS = 64
"""The number of players of a group on a page; a group that fits on one is in the order of its table."""


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
    """Return a series: when it comes, its seasons with their winners, and what became of everybody.

    Of everybody, those are shown who have played in one group of a season: the one in ``?season=``, else the latest
    one, of the stage in ``?stage=``, else the leagues or the last one, and there of the group in ``?group=``, else the
    first one.
    """
    series = get_series(slug=slug, player=current_player(request))
    last = last_season_of(series)
    seasons = keyset_page(seasons_of(series), request.GET.get("seasons"), size=SEASONS, order=("-season",))
    player = current_player(request)
    context = {
        "section": "cups",
        "series": series,
        "rhythm": rhythm_text(series),
        "carry_over": carry_over_text(series),
        "next_season": None if last is None else next_season_of(series, last),
        "runs": last is not None and role_in(competition=last, player=player) is not None,
        "last": last,
        "topics": "" if last is None else topics_of(last),
        "seasons": seasons,
        "current": [each for each in reversed(list(seasons)) if each.status in NOT_ENDED][:MAX_CURRENT],
        "awaited": awaited_final(series, now=current_moment()),
        "finals": list(finals_of(series)[:SEASONS]),
        **_players_context(request, series),
    }
    return render(request, "tournaments/series/series.html", context)


def _players_context(request: HttpRequest, series: Series) -> dict[str, Any]:
    """Return who has played in a group of a season, with their places in it and in the seasons before."""
    seasons, later = seasons_about(series, asked_number(request, "season"), most=MAX_SEASONS)
    if not seasons:
        return {}
    season = seasons[0]
    near = [*reversed(later[: MAX_SEASONS - 1]), *seasons]
    context: dict[str, Any] = {"season": season, "shown": seasons, "near": near}
    stages = [] if season.boards else stages_with_groups(season)
    if not stages:
        return context
    asked, names = asked_number(request, "stage"), name_stages(stages)
    usual = stages[0] if stages[0].has_leagues else stages[-1]
    stage = next((each for each in stages if each.number == asked), usual)
    group, groups = groups_about(stage, asked_number(request, "group") or 1, most=MAX_LETTERS // 2)
    if group is None:
        # It was taken back a moment ago.
        return context
    players = keyset_page(seats_in(group), request.GET.get("page"), size=PLAYERS, order=("entry_id",))
    is_whole = not (players.previous or players.next)
    seats = with_players(players)
    if is_whole:
        seats = order_by_place(seats)
    return context | {
        "stage": stage,
        "stages": [(each.number, names[each.number]) for each in stages],
        "group": group,
        "groups": groups,
        "players": players,
        "is_whole": is_whole,
        "history": history_of([seat.entry.player for seat in seats], seasons),
    }


@own_form
def organise_series(request: HttpRequest, kind: str, slug: str) -> HttpResponse:
    """Ask when and how the competition comes again, and store it; or end its series. The last season has the form."""
    competition, now = organised_competition(request, slug), current_moment()
    series, actor = competition.series, organiser_of(request)
    last = competition if series is None else last_season_of(series)
    if last is not None and last.pk != competition.pk:
        return redirect(f"{last.get_desk_url()}series/")
    if series is not None and "end" in request.POST:
        year_final = request.POST["end"] != "without-final"
        end_series(series_id=series.pk, actor=actor, now=now, year_final=year_final)
        messages.success(request, _("There will be no more seasons."))
        return redirect(series.get_absolute_url())
    form = SeriesForm(request.POST if request.method == "POST" else None, initial=_initial(competition))
    if form.is_valid():
        options = {name: value for name, value in form.cleaned_data.items() if value is not None}
        try:
            if series is None:
                stored = make_series(competition=competition, options=options, actor=actor, now=now)
            else:
                stored = edit_series(series_id=series.pk, options=options, actor=actor, now=now)
        except DomainError as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("Saved. Here are its seasons."))
            return redirect(stored.get_absolute_url())
    context: dict[str, Any] = {**frame(request, competition), "tab": "series", "form": form, "series": series}
    status = 400 if form.errors else 200
    return TemplateResponse(request, "tournaments/organise/series.html", context, status=status)


def _initial(competition: Competition) -> dict[str, Any]:
    """Return what the form shows first: the series as it is, or what is likely of a new one."""
    if competition.series is None:
        return {
            "name": competition.name[:MAX_SERIES_NAME],
            "announce_days": 7,
            "anchor": competition.starts_at,
            **usual_options(competition),
        }
    values = {name: getattr(competition.series, name) for name in SERIES_OPTIONS}
    return values | {"days": ", ".join(competition.series.days)}
