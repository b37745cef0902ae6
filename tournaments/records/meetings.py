"""Meetings of teams: the boards at which two of them meet in a round, and what these add up to."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from formats.scoring.points import TeamScore
from formats.sides import sides_at
from formats.team_meetings import meet
from rules_engine.values import BySide
from tournaments.models import Entry, Fixture
from tournaments.records.games import read_game


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two teams that meet, the home team as Yellow: board by board, and what those with results add up to.

    It ``is_over`` when all boards have results. Then it has ``points``, those of a league; in a knock-out the sums of
    the tie decide, and a meeting has none.
    """

    round_id: int | None
    teams: BySide[Entry]
    boards: tuple[Fixture, ...]
    score: TeamScore
    points: BySide[int] | None
    is_over: bool


def meetings_of(fixtures: Sequence[Fixture]) -> list[Meeting]:
    """Return the meetings to which these fixtures at boards belong, in their order; none is annulled. No query.

    The fixtures were read with their entries.
    """
    together: dict[tuple[int | None, BySide[int]], list[tuple[int, Fixture]]] = defaultdict(list)
    for fixture in fixtures:
        if fixture.board is not None:
            teams = sides_at(fixture.board, BySide(fixture.yellow_id, fixture.red_id))
            together[fixture.round_id, teams].append((fixture.board, fixture))
    return [_read(round_id, boards) for (round_id, _teams), boards in together.items()]


def _read(round_id: int | None, boards: Sequence[tuple[int, Fixture]]) -> Meeting:
    in_order = sorted(boards, key=lambda each: each[0])
    met = meet([(board, read_game(fixture, round_=0)) for board, fixture in in_order])
    board, first = in_order[0]
    teams = sides_at(board, BySide(first.yellow, first.red))
    score = met.team_score or TeamScore(BySide(0, 0), BySide(0, 0), BySide(0, 0))
    points = met.points if first.tie_id is None else None
    fixtures = tuple(fixture for _board, fixture in in_order)
    return Meeting(round_id, teams, fixtures, score, points, is_over=met.is_counted)
