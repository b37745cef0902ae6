"""The page of one group of a cup, and the table of any group with its rounds and matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from formats.protocol import Picture
from players.current_player import current_player
from tournaments.models import Competition, CompetitionStatus, Entry, Fixture, Group, Round
from tournaments.office.stage_names import name_group, name_stages
from tournaments.office.stage_texts import advance_text, list_moves
from tournaments.office.views import asked_number, require_visible, topics_of
from tournaments.pages.views.brackets import bracket_context
from tournaments.pages.views.competition import shared_context
from tournaments.pages.views.known_pages import keeps_for_visitors, known_page, page_etag, with_tag
from tournaments.pages.views.ladder import ShownRow, page_number, page_size, paper_context
from tournaments.pages.views.shared import Shown, share_parts, viewer_context
from tournaments.records.competitions import get_cup
from tournaments.records.cups import byes_in, rounds_of, with_repeats
from tournaments.records.meetings import meetings_of
from tournaments.records.stages import StageGroups, group_in, is_of_parts, round_in, stages_of
from tournaments.tables.selectors.group_tables import (
    MAX_CROSSED,
    GoingOn,
    count_before,
    cross,
    entries_gone_on,
    fixtures_of_group,
    move_states,
    who_goes_on,
)
from tournaments.tables.selectors.tables import PAGE, TableRow, table_page
from web.pages.keyset_pages import OLDEST_FIRST, keyset_page

PARTS = {
    "meta": "tournaments/parts/meta.html",
    "top": "tournaments/shared/group_top.html",
    "main": "tournaments/shared/group_main.html",
    "rest": "tournaments/shared/rest.html",
}
"""The templates of the parts of the page that many readers share."""

BEFORE_THE_DRAW = (CompetitionStatus.DRAFT, CompetitionStatus.OPEN)

MATCHES_PER_PAGE = 50
"""The number of matches of a large round that a page shows."""

MAX_LETTERS = 40
"""Of more groups only those beside it are linked from the page of a group."""


@dataclass(frozen=True, slots=True)
class RoundLink:
    """A round of a group, and where it is shown."""

    round: Round
    url: str


@keeps_for_visitors
@require_safe
def group_page(request: HttpRequest, slug: str, stage: int, group: int, number: int | None = None) -> HttpResponse:
    """Return a group with its whole table, or its bracket, and the round with this number or the current one.

    What the page of the cup shows as a whole is shown there.
    """
    cup = get_cup(slug)
    require_visible(cup, current_player(request))
    stages = stages_of(cup, with_sizes=False)
    found = group_in(stages, stage=stage, group=group)
    shown = next(each for each in stages if each.stage.number == stage)
    is_bracket = shown.stage.is_bracket
    if number is not None:
        round_in(found, number)
    if not is_of_parts(found.stage) or (is_bracket and len(shown.groups) == 1):
        return redirect(_url_on_the_page_of_the_cup(found, number))
    viewer, seen = current_player(request), Shown.of(request, cup)
    etag = page_etag(request, seen)
    if known := known_page(request, etag):
        return known
    entry = seen.reader.entry
    stage_name = name_stages(each.stage for each in stages)[stage]
    group_name = name_group(found) if shown.has_groups else ""

    def build(asked: HttpRequest) -> dict[str, Any]:
        context = {
            **shared_context(asked, seen),
            **viewer_context(seen, viewer),
            "cup": cup,
            "title": group_name or stage_name,
            "stage_name": stage_name,
            "stage_url": stage_url(cup, stage),
            "group": found,
            "group_name": group_name,
            "neighbours": neighbours_of(shown, found),
            "part_query": f"?stage={stage}&group={group}",
        }
        if is_bracket:
            part = asked_number(asked, "part")
            return context | bracket_context(found, entry, is_over=found.ended_at is not None, part=part)
        is_drawn = cup.status not in BEFORE_THE_DRAW
        context |= table_context(asked, found, entry, number=number, is_drawn=is_drawn)
        return context | going_on_context(shown)

    if viewer is not None and cup.boards is not None:
        seen = replace(seen, version=None)
    page = share_parts(request, seen, PARTS, build, kept=("my_next_tie",))
    context = {
        **page.kept,
        "section": "cups",
        "topics": topics_of(cup),
        "cup": cup,
        "stage_name": stage_name,
        "group_name": group_name,
        "shared": page.parts,
        "number_to_move": seen.own.to_move,
    }
    return with_tag(render(request, "tournaments/group.html", context), etag)


def stage_url(cup: Competition, number: int) -> str:
    """Return where the page of a cup shows one of its stages."""
    return f"{cup.get_absolute_url()}?stage={number}"


def group_url(group: Group) -> str:
    """Return the page of a group, which was read with its stage and competition."""
    return reverse("cup-group", args=[group.competition.slug, group.stage.number, group.number])


def round_url(group: Group, number: int) -> str:
    """Return where a round is shown: on the page of its cup where that has no more parts than one."""
    if not is_of_parts(group.stage):
        return f"{group.competition.get_absolute_url()}?round={number}#round"
    url = reverse("cup-round", args=[group.competition.slug, group.stage.number, group.number, number])
    return f"{url}#round"


def table_context(
    request: HttpRequest, group: Group, mine: Entry | None, *, number: int | None = None, is_drawn: bool = True
) -> dict[str, Any]:
    """Return the table of a group with a crosstable where it has one, and a round with its matches.

    The round is the one with this ``number``, else the first that goes on, or the last one. Before the draw there are
    only the entrants.
    """
    stage = group.stage
    page = table_page(stage=stage, group_id=group.pk, number=page_number(request), size=page_size(request))
    seats = [row.seat for row in page.rows]
    before = count_before(seats[0]) if page.number > 1 and seats and stage.advance is not None else 0
    states = move_states(stage) or who_goes_on(group, seats, entries_gone_on(stage), before=before) if is_drawn else {}
    rounds = list(rounds_of(group.pk)) if is_drawn else []
    context: dict[str, Any] = {
        "page": page,
        **paper_context(request, page),
        "rows": [_show(row, mine, states) for row in page.rows],
        "robin_rounds": [RoundLink(each, round_url(group, each.number)) for each in rounds],
    }
    if not rounds:
        return context
    shown = _shown_round(rounds, number)
    small = page.total <= MAX_CROSSED and stage.format_spec.picture is Picture.CROSS_TABLE
    fixtures = fixtures_of_group(group.pk)
    context |= {"shown_round": shown, "byes": byes_in(shown), "crosstable": (), "meetings": ()}
    if page.total > 2 * MATCHES_PER_PAGE and stage.competition.boards is None and page_size(request) == PAGE:
        return context | _matches_context(request, shown, mine)
    found = list(fixtures if small else with_repeats(fixtures.filter(round=shown)))
    of_round = [fixture for fixture in found if fixture.round_id == shown.pk]
    return context | {
        "crosstable": cross([row.entry for row in page.rows], found) if small else (),
        "fixtures": [fixture for fixture in of_round if fixture.board is None],
        "meetings": meetings_of(of_round),
    }


def _matches_context(request: HttpRequest, shown: Round, mine: Entry | None) -> dict[str, Any]:
    """Return the matches of a large round by pages, the reader's own one first on each."""
    # By their keys: PostgreSQL would read who plays in all of them before it sorts them.
    drawn = Fixture.objects.filter(round=shown, is_annulled=False).only("pk")
    page = keyset_page(drawn, request.GET.get("matches"), size=MATCHES_PER_PAGE, order=OLDEST_FIRST)
    own = [] if mine is None else list(drawn.filter(Q(yellow=mine) | Q(red=mine)))
    keys = list(dict.fromkeys(fixture.pk for fixture in (*own, *page)))
    found = with_repeats(fixtures_of_group(shown.group_id).filter(pk__in=keys))
    return {"fixtures": sorted(found, key=lambda fixture: keys.index(fixture.pk)), "matches_page": page}


def going_on_context(shown: StageGroups) -> dict[str, Any]:
    """Return what is said below tables about who goes on from them; nothing where nobody does."""
    rule = shown.stage.advance_rule
    if shown.stage.has_leagues and shown.stage.competition.series_id is not None:
        return {"league_moves": list_moves(shown.stage), "has_play_offs": shown.stage.play_offs is not None}
    if rule is None:
        return {}
    return {"advance": advance_text(shown.stage), "has_best": bool(rule.best), "is_stage_over": shown.has_ended}


def _show(row: TableRow, mine: Entry | None, states: Mapping[int, GoingOn]) -> ShownRow:
    is_mine = mine is not None and mine.pk == row.entry.pk
    return ShownRow(row, [], None, is_mine, states.get(row.entry.pk, GoingOn.NO))


def _shown_round(rounds: Sequence[Round], number: int | None) -> Round:
    going_on = (each for each in rounds if each.ended_at is None)
    chosen = (each for each in rounds if each.number == number)
    return next(chosen, None) or next(going_on, rounds[-1])


def _url_on_the_page_of_the_cup(group: Group, number: int | None) -> str:
    cup, stage = group.competition, group.stage
    if not is_of_parts(stage):
        return cup.get_absolute_url() if number is None else round_url(group, number)
    return stage_url(cup, stage.number) + ("" if number is None else f"#round-{number}")


def neighbours_of(shown: StageGroups, group: Group) -> list[Group]:
    """Return the groups to which the page of a group links: all, or of many those just before and after it."""
    if not shown.has_groups or len(shown.groups) == 1:
        return []
    first = max(0, min(group.number - 1 - MAX_LETTERS // 2, len(shown.groups) - MAX_LETTERS))
    return list(shown.groups[first : first + MAX_LETTERS])
