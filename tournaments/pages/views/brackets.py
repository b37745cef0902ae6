"""Brackets as pages draw them: ties with scores, or those to come with where their entrants will come from."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from formats.advancement import GroupRank
from formats.pairing.legs import Decider
from formats.protocol import DrawnTie as PlannedTie
from formats.protocol import FromSeed, Part, Source, TieKey
from tournaments.models import Entry, Fixture, Group, Round, Stage
from tournaments.office.stage_names import name_source
from tournaments.pages.pictures.bracket_layout import lay_out_ties
from tournaments.pages.pictures.bracket_parts import parts_of
from tournaments.records.brackets import RoundView, TieOutline, TieView, bracket_of, outline_of, tie_of_players
from tournaments.records.meetings import Meeting
from tournaments.rounds.sentences import decider_text, name_column, name_rounds

HEADING_LINES = ((22,), (14, 31))
"""The distance of a column's heading from the top, and those of both of its lines where it has two."""


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """One entrant in a box of the bracket; ``name`` is empty while nobody knows who it is.

    ``goals`` are those of all legs, of teams in their place the boards won. ``is_open`` says that it is no name, but
    where somebody will come from.
    """

    name: str
    is_computer: bool = False
    seed: int | None = None
    points: int | None = None
    goals: int | None = None
    is_winner: bool = False
    is_mine: bool = False
    is_open: bool = False
    is_disqualified: bool = False


@dataclass(frozen=True, slots=True)
class DrawnLeg:
    """A leg: its match, and the goals (the upper entrant's, the lower's) once the result is counted."""

    match_id: int | None
    goals: tuple[int, int] | None
    by_decision: bool


@dataclass(frozen=True, slots=True)
class DrawnTie:
    """A tie in words: both lines, its legs, and by what it was decided. ``label`` is set where it needs a heading.

    ``key`` is what a link to it names, 0 for a tie that is only planned. Teams have ``meetings`` in place of legs.
    ``winner`` is the id of an entry.
    """

    key: int
    label: str
    first: DrawnLine
    second: DrawnLine
    legs: tuple[DrawnLeg, ...] = ()
    meetings: tuple[Meeting, ...] = ()
    is_running: bool = False
    is_off: bool = False
    decided_by: str = ""
    by_decision: bool = False
    winner: int | None = None

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


def bracket_context(group: Group, mine: Entry | None, *, is_over: bool, part: int | None = None) -> dict[str, Any]:
    """Return what the picture of a group's bracket and the list of its ties need; no rounds before the draw.

    Of a large bracket one part is shown: the one with this number, else that of the viewer's own tie, else the last
    rounds, which are number 0, or the first part as long as nobody has come to them.
    """
    outlines = outline_of(group_id=group.pk)
    drawn = [each.drawn for each in outlines]
    names = name_rounds(drawn)
    own = [each for each in outlines if mine is not None and mine.pk in each.entrants]
    cut = parts_of(drawn)
    has_come = any(each.entrants != (None, None) and each.drawn.key in cut[0] for each in outlines) if cut else False
    default = _part_of(cut, own) if own else int(bool(cut) and not has_come)
    chosen = part if part is not None and part < len(cut) else default
    keys = cut[chosen] if cut else {tie.key for tie in drawn}
    # A draw that is published or undone meanwhile has other ties than the outlines.
    only = {each.pk for each in (*own, *(each for each in outlines if each.drawn.key in keys))}
    rounds = _draw_rounds(bracket_of(group_id=group.pk, only=only), names, mine, keys)
    bracket = lay_out_ties([tie for tie in drawn if tie.key in keys and tie.key in rounds.ties], rounds.ties)
    parts = {each.round.number: each.parts for each in rounds.shown}
    headings = [
        (name, heading.x, y)
        for heading in bracket.headings
        for name, y in _lines_of(
            each.name for each in parts.get(heading.number, ()) if not any(tie.label for tie in each.ties)
        )
    ]
    return {
        # Read before all that is shown: where the results have gone on meanwhile, the page is fetched once more.
        "shown_group": group,
        "rounds": rounds.shown,
        "bracket": bracket,
        "headings": headings,
        "has_decisions": any(tie.by_decision for each in rounds.shown for part in each.parts for tie in part.ties),
        "bracket_part": chosen,
        "bracket_parts": range(1, len(cut)),
        "my_part": _part_of(cut, own) if own else None,
        "my_next_tie": _next_tie_of_mine(rounds.read),
        "my_last_tie": _last_tie_of_mine(rounds.read, is_over=is_over),
    }


def _part_of(cut: Sequence[Collection[TieKey]], own: Sequence[TieOutline]) -> int:
    """Return the number of the part with the tie that the viewer plays, or has played last."""
    tie = next((each for each in own if not each.is_decided), own[-1])
    return next((number for number, keys in enumerate(cut) if tie.drawn.key in keys), 0)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Rounds as they are drawn: all that were read, those of the shown part, and the ties by their places."""

    read: list[DrawnRound]
    shown: list[DrawnRound]
    ties: dict[TieKey, DrawnTie]


def _draw_rounds(
    views: Iterable[RoundView],
    names: dict[tuple[int, Part], str],
    mine: Entry | None,
    keys: Collection[TieKey],
) -> _Drawn:
    drawn = _Drawn([], [], {})
    for each in views:
        column = name_column(names, each.round.number)
        read, shown = [], []
        for part, views_of_part in groupby(each.ties, key=lambda view: Part(view.tie.part)):
            name = names[each.round.number, part]
            label = name if part is Part.THIRD_PLACE else ""
            ties = {view.tie.key: _draw_tie(view, mine, label) for view in views_of_part}
            drawn.ties.update(ties)
            read.append(DrawnPart(name, tuple(ties.values())))
            shown.append(DrawnPart(name, tuple(tie for key, tie in ties.items() if key in keys)))
        drawn.read.append(DrawnRound(column, each.round, tuple(read)))
        if any(part.ties for part in shown):
            drawn.shown.append(DrawnRound(column, each.round, tuple(part for part in shown if part.ties)))
    return drawn


def draw_tie_for_all(group_id: int, tie_id: int) -> DrawnTie:
    """Return a tie between players as everybody sees it. Three queries."""
    return _draw_tie(tie_of_players(group_id=group_id, tie_id=tie_id), None, label="")


def planned_bracket_context(stage: Stage, sources: Sequence[GroupRank], *, is_only_group: bool) -> dict[str, Any]:
    """Return what the picture of a bracket to come needs: in each box where somebody will come from."""
    ties = stage.format_spec.draw_ties(len(sources), stage.chosen_options)
    names = name_rounds(ties)
    shown = {tie.key: _plan_tie(tie, sources, names[tie.key.round, tie.key.part], is_only_group) for tie in ties}
    bracket = lay_out_ties(ties, shown)
    headings = [
        (name, heading.x, y) for heading in bracket.headings for name, y in _lines_of(_names_in(ties, names, heading))
    ]
    known = [tie for tie in shown.values() if tie.first.name and tie.second.name]
    return {"bracket": bracket, "headings": headings, "planned_ties": known}


def _names_in(ties: Sequence[PlannedTie], names: Any, heading: Any) -> list[str]:
    parts = dict.fromkeys(tie.key.part for tie in ties if tie.key.round == heading.number)
    return [names[heading.number, part] for part in parts if part is not Part.THIRD_PLACE]


def _plan_tie(tie: PlannedTie, sources: Sequence[GroupRank], name: str, is_only_group: bool) -> DrawnTie:
    def line(source: Source) -> DrawnLine:
        if not isinstance(source, FromSeed):
            return DrawnLine("")
        came_from = name_source(sources[source.seed - 1], is_only_group=is_only_group)
        return DrawnLine(came_from, seed=source.seed, is_open=True)

    label = name if tie.key.part is Part.THIRD_PLACE else ""
    return DrawnTie(0, label, line(tie.first), line(tie.second))


def _lines_of(names: Iterable[str]) -> list[tuple[str, int]]:
    """Return what stands above a column, and how far down: one line, or two where it is in two parts."""
    names = list(names)
    return list(zip(names, HEADING_LINES[len(names) > 1], strict=False))


def _ties_of_mine(rounds: list[DrawnRound]) -> list[tuple[str, DrawnTie]]:
    """Return the ties of the viewer, each with its round's name."""
    ties = [(part.name, tie) for each in rounds for part in each.parts for tie in part.ties]
    return [(name, tie) for name, tie in ties if any(line.is_mine for line in tie.lines)]


def _next_tie_of_mine(rounds: list[DrawnRound]) -> tuple[str, DrawnTie] | None:
    """Return the tie that the viewer plays, or will play next, with its round's name."""
    return next(((name, tie) for name, tie in _ties_of_mine(rounds) if not tie.decided_by), None)


def _last_tie_of_mine(rounds: list[DrawnRound], *, is_over: bool) -> tuple[str, DrawnTie] | None:
    """Return the last tie that the viewer has played, with its round's name: the place follows from it."""
    mine = [(name, tie) for name, tie in _ties_of_mine(rounds) if not tie.is_off]
    if not mine:
        return None
    name, tie = mine[-1]
    is_won = any(line.is_mine and line.is_winner for line in tie.lines)
    is_last = bool(tie.decided_by) and (not is_won or is_over)
    return (name, tie) if is_last else None


def _say_decider(view: TieView, *, of_teams: bool) -> str:
    """Return by what a tie was decided, and whether results of it were."""
    said = decider_text(view.tie.decided_by, of_teams=of_teams)
    if said and view.by_decision:
        return _("%(said)s, with a result by decision") % {"said": said}
    return said


def _draw_tie(view: TieView, mine: Entry | None, label: str) -> DrawnTie:
    tie = view.tie
    counted = any(leg.points is not None for leg in view.legs)
    of_teams = any(entry is not None and entry.team_id is not None for entry in (tie.first, tie.second))
    goals = view.boards if of_teams else view.goals

    def line(entry: Entry | None, index: int) -> DrawnLine:
        return DrawnLine(
            name=entry.name if entry else "",
            is_computer=entry is not None and entry.person is not None and entry.person.is_computer,
            seed=view.seeds[index],
            points=view.points[index] if counted else None,
            goals=goals[index] if counted else None,
            is_winner=entry is not None and tie.winner_id == entry.pk and entry.disqualified_at is None,
            is_mine=entry is not None and mine is not None and mine.pk == entry.pk,
            is_open=entry is None,
            is_disqualified=entry is not None and entry.disqualified_at is not None,
        )

    return DrawnTie(
        key=tie.pk,
        label=label,
        first=line(tie.first, 0),
        second=line(tie.second, 1),
        legs=tuple(
            DrawnLeg(leg.match_id, _goals(leg, tie.first_id), leg.by_decision) for leg in view.legs if leg.board is None
        ),
        by_decision=view.by_decision,
        meetings=view.meetings,
        is_running=view.is_running,
        is_off=tie.decided_by == Decider.NOT_PLAYED,
        decided_by=_say_decider(view, of_teams=of_teams),
        winner=tie.winner_id,
    )


def _goals(leg: Fixture, first_id: int | None) -> tuple[int, int] | None:
    goals = leg.goals
    if goals is None:
        return None
    return (goals.yellow, goals.red) if leg.yellow_id == first_id else (goals.red, goals.yellow)
