"""The crosstable of a round robin: who took what from whom."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from rules_engine.values import BySide
from tournaments.models import OF_PLAY, SITTING, Entry, Fixture
from tournaments.records.matches import with_players
from tournaments.records.meetings import meetings_of

MAX_CROSSED = 24
"""More entrants than this make a crosstable that nobody can read."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A meeting from the row's view; points and goals are (the row's, the column's), empty until they are counted.

    Of two teams the points are all match points of their boards, and ``fixture`` is the match at the first one.
    """

    fixture: Fixture
    points: tuple[int, int] | None
    goals: tuple[int, int] | None
    is_of_teams: bool = False


@dataclass(frozen=True, slots=True)
class CrossRow:
    """An entrant's meetings with everybody in the columns' order; ``None`` in the entrant's own column."""

    entry: Entry
    cells: tuple[tuple[Cell, ...] | None, ...]


def fixtures_of_group(group_id: int) -> QuerySet[Fixture]:
    """Return a group's fixtures that are not annulled in the order of its rounds, with matches, entries and players."""
    fixtures = (
        Fixture.objects.filter(group_id=group_id, is_annulled=False)
        .select_related("match", *SITTING)
        .defer(*OF_PLAY)
        .order_by("round__number", "pk")
    )
    return with_players(fixtures)


def cross(entries: Sequence[Entry], fixtures: Sequence[Fixture]) -> tuple[CrossRow, ...]:
    """Return the crosstable of the entrants, rows and columns in their order."""
    met: dict[tuple[int, int], list[Cell]] = defaultdict(list)
    for meeting in meetings_of(fixtures):
        home, guests = meeting.teams.map(lambda team: team.pk)
        points = None if meeting.points is None else meeting.score.match_points
        goals = None if meeting.points is None else meeting.score.goals
        first = meeting.boards[0]
        met[home, guests].append(Cell(first, _pair(points), _pair(goals), is_of_teams=True))
        met[guests, home].append(Cell(first, _pair(points, swapped=True), _pair(goals, swapped=True), is_of_teams=True))
    for fixture in (each for each in fixtures if each.board is None):
        yellow, red = fixture.yellow_id, fixture.red_id
        points, goals = fixture.points, fixture.goals
        met[yellow, red].append(Cell(fixture, _pair(points), _pair(goals)))
        met[red, yellow].append(Cell(fixture, _pair(points, swapped=True), _pair(goals, swapped=True)))
    return tuple(
        CrossRow(
            row,
            tuple(None if row.pk == column.pk else tuple(met[row.pk, column.pk]) for column in entries),
        )
        for row in entries
    )


def _pair(numbers: BySide[int] | None, *, swapped: bool = False) -> tuple[int, int] | None:
    if numbers is None:
        return None
    return (numbers.red, numbers.yellow) if swapped else (numbers.yellow, numbers.red)
