"""The page of a cup: its bracket or table, its rounds, and what it waits for; its stages where it has several."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from database.clock import current_moment
from players.current_player import current_player
from tournaments.entries.views import bye_context
from tournaments.models import CompetitionStatus, Cup, Entry, Group
from tournaments.office.views import asked_number, require_visible
from tournaments.pages.selectors.versions import MAX_NEXT, version_of_next
from tournaments.pages.sentences import start_sentence
from tournaments.pages.views.brackets import bracket_context
from tournaments.pages.views.competition import competition_context, shared_context
from tournaments.pages.views.groups import BEFORE_THE_DRAW, round_url, table_context
from tournaments.pages.views.known_pages import keeps_for_visitors, known_page, page_etag, with_tag
from tournaments.pages.views.shared import NOBODY, Shown, share_parts, viewer_context
from tournaments.pages.views.stages import stages_context
from tournaments.pages.views.team_entries import team_context
from tournaments.records.competitions import get_cup
from tournaments.records.cups import cup_waits_for
from tournaments.records.groups import group_of
from tournaments.records.stages import find_group, is_of_parts
from tournaments.running.selectors.forecasts import find_forecast
from tournaments.teams.selectors.line_ups import own_boards_in

PARTS = {
    "meta": "tournaments/parts/meta.html",
    "top": "tournaments/shared/cup_top.html",
    "main": "tournaments/shared/cup_main.html",
    "rest": "tournaments/shared/rest.html",
}
"""The templates of the parts of the page that many readers share."""

NEXT = {"next": "tournaments/shared/cup_next.html"}
"""What it waits for, which changes with every move."""

OWN = (
    "change",
    "my_last_tie",
    "my_next_tie",
    "my_group",
    "out_of",
    "is_in_last_stage",
    "has_only_waited",
    "waits_at",
)
"""What of an entrant's parts their own panel says, too."""


@keeps_for_visitors
@require_safe
def cup_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the cup: its bracket, or its table and the round in ``?round=``, with a crosstable where it has one.

    One of several stages is shown: that in ``?stage=``, or the latest that has begun.
    """
    cup = get_cup(slug)
    require_visible(cup, current_player(request))
    number = asked_number(request, "round")
    if number is not None and is_of_parts(cup.first_stage):
        return redirect(round_url(find_group(cup, stage=1, group=1), number))
    viewer, shown = current_player(request), Shown.of(request, cup)
    version_of_coming = version_of_next(cup, now=current_moment())
    etag = page_etag(request, shown, version_of_coming)
    if known := known_page(request, etag):
        return known
    entry = shown.reader.entry
    own_boards = own_boards_in(cup, viewer)
    own_entry = entry or (own_boards.entry if own_boards else None)

    def build(asked: HttpRequest) -> dict[str, Any]:
        return {
            **shared_context(asked, shown),
            "cup": cup,
            "own_entry": own_entry,
            **viewer_context(shown, viewer),
            "is_in_last_stage": True,
            **cup_context(asked, cup, own_entry, number=number),
        }

    def build_next(asked: HttpRequest) -> dict[str, Any]:
        waiting = cup_waits_for(cup, current_moment(), limit=MAX_NEXT)
        return {
            "competition": cup,
            "cup": cup,
            "waiting": waiting,
            "more_waiting": len(waiting) == MAX_NEXT,
            "start": start_sentence(cup),
            "forecast": find_forecast(cup),
        }

    # Who plays in a team, or leads one, sees their own boards among all, and what can be disputed.
    is_own = viewer is not None and cup.boards is not None
    page = share_parts(request, replace(shown, version=None) if is_own else shown, PARTS, build, kept=OWN)
    coming = replace(shown, reader=NOBODY, version=(shown.version, version_of_coming))
    context = {
        **competition_context(request, shown, page),
        **page.kept,
        **bye_context(cup, entry),
        **team_context(cup, viewer),
        "cup": cup,
        "shared": page.parts | share_parts(request, coming, NEXT, build_next).parts,
        "own_boards": own_boards,
        "own_entry": own_entry,
    }
    return with_tag(render(request, "tournaments/cup.html", context), etag)


def cup_context(request: HttpRequest, cup: Cup, mine: Entry | None, *, number: int | None = None) -> dict[str, Any]:
    """Return what is played: a bracket, or a table with the round of this ``number``; of several stages one."""
    if is_of_parts(cup.first_stage):
        return stages_context(request, cup, mine)
    return _whole(request, cup, mine, number)


def _whole(request: HttpRequest, cup: Cup, mine: Entry | None, number: int | None) -> dict[str, Any]:
    """Return the bracket or the table of a cup that has one stage and one group."""
    context: dict[str, Any] = {}
    is_bracket, is_drawn = cup.first_stage.is_bracket, cup.status not in BEFORE_THE_DRAW
    if is_bracket and is_drawn:
        is_over, part = cup.status == CompetitionStatus.FINISHED, asked_number(request, "part")
        group = Group.objects.select_related("stage").get(pk=group_of(cup))
        context = bracket_context(group, mine, is_over=is_over, part=part)
    if not context.get("rounds"):
        stage = cup.first_stage
        stage.competition = cup
        group = Group(pk=group_of(cup), stage=stage)
        context |= table_context(request, group, mine, number=number, is_drawn=is_drawn)
    return context
