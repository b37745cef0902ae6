"""The stages of a cup on its page: how far each has come, and what is shown of one of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from formats.advancement import GroupRank
from formats.protocol import Flow, Order
from tournaments.models import CompetitionStatus, Cup, Entry, Group
from tournaments.office.stage_names import name_group, name_source, name_stages
from tournaments.office.stage_texts import advance_text
from tournaments.office.views import asked_number
from tournaments.pages.views.brackets import bracket_context, planned_bracket_context
from tournaments.pages.views.groups import BEFORE_THE_DRAW, going_on_context, group_url, stage_url, table_context
from tournaments.pages.views.ladder import page_number
from tournaments.records.stages import StageGroups, count_played, is_in_groups, latest_of, plan_entrants, stages_of
from tournaments.tables.selectors.group_tables import ShortTable, short_tables

GROUPS = 16
"""The number of groups on a page."""

MAX_SOURCES = 64
"""Of more who will go on to a stage without a bracket, it is not said one by one where they come from."""


@dataclass(frozen=True, slots=True)
class Step:
    """A stage in the row of all: what it is called, where it is shown, and how far it has come."""

    name: str
    url: str
    stage: StageGroups
    is_shown: bool


@dataclass(frozen=True, slots=True)
class GroupCard:
    """A group beside others: its short table, where it is shown as a whole, and how many of its matches are over."""

    name: str
    url: str
    table: ShortTable
    played: int
    drawn: int
    is_mine: bool

    @property
    def group(self) -> Group:
        """Return the group."""
        return self.table.group


@dataclass(frozen=True, slots=True)
class GroupPage:
    """Some groups of a stage: page ``number`` of ``pages``, both from 1. In brackets there are no sums to show."""

    cards: Sequence[GroupCard]
    number: int
    pages: int
    has_sums: bool


def stages_context(request: HttpRequest, cup: Cup, mine: Entry | None) -> dict[str, Any]:
    """Return the stages of a cup, and what is shown of the one in ``?stage=``, or of the latest that has begun."""
    stages = stages_of(cup)
    names = name_stages(each.stage for each in stages)
    shown = _chosen(request, stages)
    number = shown.stage.number
    context: dict[str, Any] = {
        "steps": [
            Step(names[each.stage.number], stage_url(cup, each.stage.number), each, each is shown) for each in stages
        ],
        "stage": shown,
        "stage_name": names[number],
        "pager_query": f"stage={number}&",
        **_part_of(mine, stages, names),
    }
    if shown.stage.gathers and cup.started_at is not None:
        return context | _level(request, shown, mine)
    context |= going_on_context(shown)
    if number < len(stages):
        context["next_name"] = names[number + 1]
    if not shown.has_begun and number > 1:
        before = stages[number - 2]
        return context | {"comes_from": names[number - 1]} | _plan(shown, before, plan_entrants(stages, number))
    is_bracket = shown.stage.is_bracket
    if len(shown.groups) > 1:
        return context | {"cards": _cards(request, shown, mine)}
    (group,) = shown.groups
    if is_bracket and cup.status not in BEFORE_THE_DRAW:
        is_over, part = cup.status == CompetitionStatus.FINISHED, asked_number(request, "part")
        context |= bracket_context(group, mine, is_over=is_over, part=part)
    if not context.get("rounds"):
        context |= table_context(request, group, mine, is_drawn=not is_bracket and cup.status not in BEFORE_THE_DRAW)
    return context


def _chosen(request: HttpRequest, stages: Sequence[StageGroups]) -> StageGroups:
    number = asked_number(request, "stage")
    return next((each for each in stages if each.stage.number == number), latest_of(stages))


def _part_of(mine: Entry | None, stages: Sequence[StageGroups], names: dict[int, str]) -> dict[str, Any]:
    """Return in which group the viewer plays, or from which stage they did not go on, and their place there."""
    if mine is not None and stages[0].stage.gathers:
        return _places_of(mine, stages, names)
    seat = mine.seat if mine else None
    group = next((group for each in stages for group in each.groups if seat and group.pk == seat.group_id), None)
    if mine is None or group is None or group.started_at is None:
        return {}
    number, own = group.stage.number, name_group(group) if is_in_groups(group.stage) else ""
    is_out = latest_of(stages).stage.number > number and not group.stage.has_leagues
    return {
        "my_group": own,
        "out_of": ", ".join(filter(None, (names[number], own))) if is_out else "",
        "is_in_last_stage": number == len(stages),
    }


def _places_of(mine: Entry, stages: Sequence[StageGroups], names: dict[int, str]) -> dict[str, Any]:
    """Return in which groups the viewer plays, at the highest level first, and at which levels they wait for one."""
    groups = {group.pk: group for each in reversed(stages) for group in each.groups if group.ended_at is None}
    seated = {seat.group_id for seat in mine.seats.all()}
    return {
        "my_group": get_text_list(
            [
                f"{names[group.stage.number]}, {name_group(group)}"
                for key, group in groups.items()
                if key in seated and group.started_at is not None
            ],
            _("and"),
        ),
        "has_only_waited": not any(seated),
        "waits_at": [
            names[each.stage.number] for each in stages if any(seat.entry_id == mine.pk for seat in each.waiting)
        ],
    }


def _level(request: HttpRequest, shown: StageGroups, mine: Entry | None) -> dict[str, Any]:
    """Return the groups of a level, the latest first, and who waits there for the next one."""
    options = shown.stage.grouping_options
    context: dict[str, Any] = {
        "is_level": True,
        "waiting_here": shown.waiting,
        "lacking": (options.whenever or 0) - len(shown.waiting) if options else 0,
    }
    if not shown.stage.is_last_level:
        context |= going_on_context(shown)
    begun = [group for group in reversed(shown.groups) if group.started_at is not None]
    return context | ({"cards": _cards(request, shown, mine, begun)} if begun else {})


def _cards(
    request: HttpRequest, shown: StageGroups, mine: Entry | None, groups: Sequence[Group] | None = None
) -> GroupPage:
    """Return a page of groups, all of the stage if not said otherwise: the one in ``?page=``, else the viewer's own."""
    groups = shown.groups if groups is None else groups
    seats = {seat.group_id for seat in mine.seats.all()} if mine else set()
    own = next((index for index, group in enumerate(groups) if group.pk in seats), 0)
    pages = -(-len(groups) // GROUPS)
    number = page_number(request) if "page" in request.GET else own // GROUPS + 1
    number = min(max(1, number), pages)
    groups = groups[(number - 1) * GROUPS : number * GROUPS]
    played = count_played(groups)
    cards = [
        GroupCard(
            name_group(each.group),
            group_url(each.group),
            each,
            *played.get(each.group.pk, (0, 0)),
            is_mine=each.group.pk in seats,
        )
        for each in short_tables(groups, mine=mine)
    ]
    return GroupPage(cards, number, pages, has_sums=shown.stage.format_spec.order is Order.RESULTS)


def _plan(shown: StageGroups, before: StageGroups, sources: Sequence[GroupRank] | None) -> dict[str, Any]:
    """Return where the entrants of a stage to come will come from, as a bracket where it is one."""
    spec = shown.stage.format_spec
    context: dict[str, Any] = {"is_planned": True, "who_comes": advance_text(before.stage)}
    is_only_group = len(before.groups) == 1
    if sources is None or len(sources) < spec.min_entrants:
        return context
    if spec.flow is Flow.TIES and not shown.has_groups:
        return context | planned_bracket_context(shown.stage, sources, is_only_group=is_only_group)
    if len(sources) <= MAX_SOURCES:
        context["sources"] = [name_source(each, is_only_group=is_only_group) for each in sources]
    return context
