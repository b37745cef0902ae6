"""The page of a cup: its bracket or table, its rounds, and what it waits for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from players.current_player import current_player
from tournaments.formats.protocol import Flow, Part, Picture, TieKey
from tournaments.models import CompetitionStatus, Cup, Entry, Fixture, Round
from tournaments.pairing.legs import Decider
from tournaments.pictures.tie_tree import lay_out_ties
from tournaments.selectors.brackets import TieView, bracket_of, drawn_ties
from tournaments.selectors.competitions import get_cup
from tournaments.selectors.crosstables import MAX_CROSSED, cross, fixtures_of_cup
from tournaments.selectors.cups import byes_in, cup_waits_for, rounds_of, with_repeats
from tournaments.selectors.groups import group_of
from tournaments.selectors.tables import table_page
from tournaments.sentences import decider_text, name_column, name_rounds
from tournaments.views.competition import competition_context, require_visible
from tournaments.views.ladder import ShownRow, page_number

MAX_WAITING = 8
HEADING_LINES = ((22,), (14, 31))
"""How far down a column's heading stands, and both of its lines where it has two."""
BEFORE_THE_DRAW = (CompetitionStatus.DRAFT, CompetitionStatus.OPEN)


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """One entrant in a box of the bracket; ``name`` is empty while nobody knows who it is."""

    name: str
    is_computer: bool
    seed: int | None
    points: int | None
    goals: int | None
    is_winner: bool
    is_mine: bool


@dataclass(frozen=True, slots=True)
class DrawnLeg:
    """A leg: its match, and the goals (the upper entrant's, the lower's) once the result is counted."""

    match_id: int | None
    goals: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class DrawnTie:
    """A tie in words: both lines, its legs, and by what it was decided. ``label`` is set where it needs a heading."""

    key: int
    label: str
    first: DrawnLine
    second: DrawnLine
    legs: tuple[DrawnLeg, ...]
    is_running: bool
    is_off: bool
    decided_by: str

    @property
    def lines(self) -> tuple[DrawnLine, DrawnLine]:
        """Return both entrants, the upper first."""
        return self.first, self.second


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """The ties of a round that are in one part of the bracket, from the top, and what the round is called there."""

    name: str
    ties: tuple[DrawnTie, ...]


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round of a bracket: its name, dates, and ties, part by part."""

    name: str
    round: Round
    parts: tuple[DrawnPart, ...]

    @property
    def is_current(self) -> bool:
        """Return whether the round goes on."""
        return self.round.started_at is not None and self.round.ended_at is None


@never_cache
@require_safe
def cup_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the cup: its bracket, or its table and the round in ``?round=``, with a crosstable where it has one."""
    cup = get_cup(slug)
    require_visible(cup, current_player(request))
    context = competition_context(request, cup)
    entry: Entry | None = context["entry"]
    waiting = cup_waits_for(cup, timezone.now(), limit=MAX_WAITING)
    context |= {"cup": cup, "waiting": waiting, "more_waiting": len(waiting) == MAX_WAITING}
    if cup.first_stage.format_spec.flow is Flow.TIES and cup.status not in BEFORE_THE_DRAW:
        context |= _bracket(cup, entry)
    if not context.get("rounds"):
        context |= _table(request, cup, entry)
    return render(request, "tournaments/cup.html", context)


def _bracket(cup: Cup, mine: Entry | None) -> dict[str, Any]:
    views = bracket_of(group_id=group_of(cup))
    drawn = drawn_ties([view.tie for each in views for view in each.ties])
    names = name_rounds(drawn)
    rounds: list[DrawnRound] = []
    shown: dict[TieKey, DrawnTie] = {}
    for each in views:
        parts = []
        for part, ties in groupby(each.ties, key=lambda view: Part(view.tie.part)):
            name = names[each.round.number, part]
            label = name if part is Part.THIRD_PLACE else ""
            boxes = {view.tie.key: _draw_tie(view, mine, label) for view in ties}
            parts.append(DrawnPart(name, tuple(boxes.values())))
            shown |= boxes
        rounds.append(DrawnRound(name_column(names, each.round.number), each.round, tuple(parts)))
    bracket = lay_out_ties(drawn, shown)
    headings = [
        (name, heading.x, y)
        for each, heading in zip(rounds, bracket.headings, strict=True)
        for name, y in _lines_of(each.parts)
    ]
    return {"rounds": rounds, "bracket": bracket, "headings": headings, "my_last_tie": _last_tie_of_mine(rounds, cup)}


def _lines_of(parts: Sequence[DrawnPart]) -> list[tuple[str, int]]:
    """Return what stands above a column, and how far down: one line, or two where it is in two parts."""
    names = [part.name for part in parts if not any(tie.label for tie in part.ties)]
    return list(zip(names, HEADING_LINES[len(names) > 1], strict=False))


def _last_tie_of_mine(rounds: list[DrawnRound], cup: Cup) -> tuple[str, DrawnTie] | None:
    """Return the last tie that the viewer has played, with its round's name: the place follows from it."""
    ties = [(part.name, tie) for each in rounds for part in each.parts for tie in part.ties]
    mine = [(name, tie) for name, tie in ties if any(line.is_mine for line in tie.lines) and not tie.is_off]
    if not mine:
        return None
    name, tie = mine[-1]
    is_won = any(line.is_mine and line.is_winner for line in tie.lines)
    is_last = bool(tie.decided_by) and (not is_won or cup.status == CompetitionStatus.FINISHED)
    return (name, tie) if is_last else None


def _table(request: HttpRequest, cup: Cup, mine: Entry | None) -> dict[str, Any]:
    """Return the table of a round robin, or the entrants of any cup that has not been drawn."""
    group_id = group_of(cup)
    page = table_page(competition=cup, group_id=group_id, number=page_number(request))
    rounds = [] if cup.status in BEFORE_THE_DRAW else list(rounds_of(group_id))
    entries = [row.entry for row in page.rows]
    context: dict[str, Any] = {
        "page": page,
        "rows": [ShownRow(row, [], None, mine is not None and mine.pk == row.entry.pk) for row in page.rows],
        "robin_rounds": rounds,
    }
    if not rounds:
        return context
    shown = _shown_round(request, rounds)
    small = page.total <= MAX_CROSSED and cup.first_stage.format_spec.picture is Picture.CROSS_TABLE
    fixtures = list(fixtures_of_cup(cup) if small else with_repeats(fixtures_of_cup(cup).filter(round=shown)))
    return context | {
        "crosstable": cross(entries, fixtures) if small else (),
        "shown_round": shown,
        "fixtures": [fixture for fixture in fixtures if fixture.round_id == shown.pk],
        "byes": byes_in(shown),
    }


def _shown_round(request: HttpRequest, rounds: list[Round]) -> Round:
    """Return the round in ``?round=``; else the first that goes on, or the last one."""
    query = request.GET.get("round", "")
    going_on = (each for each in rounds if each.ended_at is None)
    chosen = (each for each in rounds if str(each.number) == query)
    return next(chosen, None) or next(going_on, rounds[-1])


def _draw_tie(view: TieView, mine: Entry | None, label: str) -> DrawnTie:
    tie = view.tie
    counted = any(leg.points is not None for leg in view.legs)

    def line(entry: Entry | None, index: int) -> DrawnLine:
        return DrawnLine(
            name=entry.player.username if entry else "",
            is_computer=entry is not None and entry.player.is_computer,
            seed=view.seeds[index],
            points=view.points[index] if counted else None,
            goals=view.goals[index] if counted else None,
            is_winner=entry is not None and tie.winner_id == entry.pk,
            is_mine=entry is not None and mine is not None and mine.pk == entry.pk,
        )

    return DrawnTie(
        key=tie.pk,
        label=label,
        first=line(tie.first, 0),
        second=line(tie.second, 1),
        legs=tuple(DrawnLeg(leg.match_id, _goals(leg, tie.first_id)) for leg in view.legs),
        is_running=view.is_running,
        is_off=tie.decided_by == Decider.NOT_PLAYED,
        decided_by=decider_text(tie.decided_by),
    )


def _goals(leg: Fixture, first_id: int | None) -> tuple[int, int] | None:
    goals = leg.goals
    if goals is None:
        return None
    return (goals.yellow, goals.red) if leg.yellow_id == first_id else (goals.red, goals.yellow)
