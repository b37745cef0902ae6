"""What standings can be ordered by: every tiebreak, in one place, for ladders and cups alike.

A tiebreak measures a group of entrants. Most need only sums, which a database may have added up; some
need the results themselves; one depends on who is still tied.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from rules_engine.values import BySide
from tournaments.scoring import STANDARD, PointTable

E = TypeVar("E", bound=Hashable)

Number = int | Fraction | Decimal
"""What a tiebreak measures. Exact, so that no order of adding can change it."""


@dataclass(frozen=True, slots=True)
class Result(Generic[E]):
    """One counted match between two entrants: match points and goals. Raises ``ValueError`` for one entrant twice."""

    yellow: E
    red: E
    points: BySide[int]
    goals: BySide[int]

    def __post_init__(self) -> None:
        if self.yellow == self.red:
            raise ValueError(f"{self.yellow!r} cannot meet themselves")


@dataclass(frozen=True, slots=True)
class Bye(Generic[E]):
    """A round without an opponent: match points, no goals, no win, no match as Red."""

    entrant: E
    points: int


class Sums(NamedTuple):
    """The sums of an entrant's matches. ``rounds`` are matches and byes together."""

    points: int = 0
    rounds: int = 0
    wins: int = 0
    goals_for: int = 0
    goals_against: int = 0
    matches_as_red: int = 0


class Meeting(NamedTuple, Generic[E]):
    """One round from one entrant's view: the opponent (``None``: a bye), and the match points taken."""

    opponent: E | None
    points: int


_NOTHING = Sums()


def add_up(results: Iterable[Result[E] | Bye[E]]) -> dict[E, Sums]:
    """Return the sums of everyone who appears in the results. A win is a match with more points than the opponent."""
    rows: dict[E, list[int]] = defaultdict(lambda: [0] * len(_NOTHING))

    for result in results:
        if isinstance(result, Bye):
            row = rows[result.entrant]
            row[0] += result.points
            row[1] += 1
            continue
        (yellow_points, red_points), (yellow_goals, red_goals) = result.points, result.goals
        row = rows[result.yellow]
        row[0] += yellow_points
        row[1] += 1
        row[2] += yellow_points > red_points
        row[3] += yellow_goals
        row[4] += red_goals
        row = rows[result.red]
        row[0] += red_points
        row[1] += 1
        row[2] += red_points > yellow_points
        row[3] += red_goals
        row[4] += yellow_goals
        row[5] += 1
    return {entrant: Sums(*row) for entrant, row in rows.items()}


@dataclass(slots=True)
class Ledger(Generic[E]):
    """The data of a competition for tie-breaks: sums, numbers from outside, and the results on demand.

    ``sums`` holds everybody who has a result, those included who have no row of their own any more.
    ``given`` holds, by tiebreak key, the numbers that are no sums: rating and draw. ``results_of``
    returns at least the results in which any of the entrants took part; it is asked once at most per
    entrant, and only when a tiebreak needs it. By ``point_table`` the results have their points.
    """

    sums: Mapping[E, Sums]
    given: Mapping[str, Mapping[E, Number]] = field(default_factory=dict)
    results_of: Callable[[Collection[E]], Iterable[Result[E] | Bye[E]]] | None = None
    point_table: PointTable = STANDARD
    _meetings: dict[E, list[Meeting[E]]] = field(default_factory=dict)

    @classmethod
    def of_results(
        cls,
        results: Iterable[Result[E] | Bye[E]],
        given: Mapping[str, Mapping[E, Number]] | None = None,
        point_table: PointTable = STANDARD,
    ) -> Ledger[E]:
        """Return the ledger of results that are all at hand."""
        kept = tuple(results)
        return cls(sums=add_up(kept), given=given or {}, results_of=lambda _: kept, point_table=point_table)

    @classmethod
    def of_meetings(
        cls,
        sums: Mapping[E, Sums],
        meetings: Mapping[E, Iterable[Meeting[E]]],
        given: Mapping[str, Mapping[E, Number]] | None = None,
    ) -> Ledger[E]:
        """Return the ledger of rounds that are told for each entrant: a match may count for one of its sides only."""
        return cls(
            sums=sums,
            given=given or {},
            results_of=lambda _: (),
            _meetings={entrant: list(own) for entrant, own in meetings.items()},
        )

    def load_meetings(self, entrants: Collection[E]) -> None:
        """Fetch the results of all these entrants at once, as far as they are not known yet."""
        missing = {entrant for entrant in entrants if entrant not in self._meetings}
        if not missing:
            return
        if self.results_of is None:
            raise ValueError("this ledger has sums only, but a tiebreak needs the results")
        self._meetings.update({entrant: [] for entrant in missing})
        for result in self.results_of(missing):
            if isinstance(result, Bye):
                if result.entrant in missing:
                    self._meetings[result.entrant].append(Meeting(None, result.points))
                continue
            if result.yellow in missing:
                self._meetings[result.yellow].append(Meeting(result.red, result.points.yellow))
            if result.red in missing:
                self._meetings[result.red].append(Meeting(result.yellow, result.points.red))

    def meetings_of(self, entrant: E) -> list[Meeting[E]]:
        """Return the entrant's rounds, in no particular order. ``load_meetings`` comes first."""
        return self._meetings[entrant]

    def strengths_met(self, entrant: E) -> list[tuple[int, int]]:
        """Return, for each of the entrant's rounds, the points taken and the opponent's total points.

        A bye counts as a match with somebody of the entrant's own total.
        """
        sums = self.sums
        return [
            (met.points, sums.get(entrant if met.opponent is None else met.opponent, _NOTHING).points)
            for met in self.meetings_of(entrant)
        ]


@dataclass(frozen=True, slots=True)
class Tiebreak:
    """One way to order entrants.

    ``measure`` returns a number for each of a group.
    ``needs_results``: sums are not enough. ``among_tied``: the numbers depend on who is in the group.
    ``lower_first``: the smaller number stands higher.
    """

    key: str
    measure: Callable[[Ledger[Any], Collection[Any]], Mapping[Any, Number]]
    needs_results: bool = False
    among_tied: bool = False
    lower_first: bool = False


def _sum(key: str, number: Callable[[Sums], Number]) -> Tiebreak:
    def measure(ledger: Ledger[E], group: Collection[E]) -> dict[E, Number]:
        sums = ledger.sums
        return {entrant: number(sums.get(entrant, _NOTHING)) for entrant in group}

    return Tiebreak(key, measure)


def _given(key: str, *, lower_first: bool) -> Tiebreak:
    def measure(ledger: Ledger[E], group: Collection[E]) -> dict[E, Number]:
        try:
            numbers = ledger.given[key]
            return {entrant: numbers[entrant] for entrant in group}
        except KeyError as missing:
            raise ValueError(f"standings by {key!r} need that number for every entrant: {missing} is missing") from None

    return Tiebreak(key, measure, lower_first=lower_first)


def _by_strengths(key: str, number: Callable[[list[tuple[int, int]]], Number]) -> Tiebreak:
    def measure(ledger: Ledger[E], group: Collection[E]) -> dict[E, Number]:
        ledger.load_meetings(group)
        return {entrant: number(ledger.strengths_met(entrant)) for entrant in group}

    return Tiebreak(key, measure, needs_results=True)


def _measure_head_to_head(ledger: Ledger[E], group: Collection[E]) -> dict[E, Number]:
    ledger.load_meetings(group)
    tied = set(group)
    return {
        entrant: sum(met.points for met in ledger.meetings_of(entrant) if met.opponent in tied) for entrant in group
    }


def _points_per_match(sums: Sums) -> Number:
    return Fraction(sums.points, sums.rounds) if sums.rounds else Fraction(0)


def _measure_sonneborn_berger(ledger: Ledger[E], group: Collection[E]) -> dict[E, Number]:
    """Return the sums of each opponent's points, weighted by the share that was taken of what could be had."""
    ledger.load_meetings(group)
    most = ledger.point_table.maximum
    return {
        entrant: Fraction(sum(points * strength for points, strength in ledger.strengths_met(entrant)), most)
        for entrant in group
    }


def _buchholz(met: list[tuple[int, int]]) -> Number:
    return sum(strength for _, strength in met)


def _median_buchholz(met: list[tuple[int, int]]) -> Number:
    return sum(sorted(strength for _, strength in met)[1:-1])


TIEBREAKS: dict[str, Tiebreak] = {
    tiebreak.key: tiebreak
    for tiebreak in (
        _sum("points", lambda sums: sums.points),
        Tiebreak("head-to-head", _measure_head_to_head, needs_results=True, among_tied=True),
        _sum("wins", lambda sums: sums.wins),
        _sum("goal-difference", lambda sums: sums.goals_for - sums.goals_against),
        _sum("goals", lambda sums: sums.goals_for),
        Tiebreak("sonneborn-berger", _measure_sonneborn_berger, needs_results=True),
        _by_strengths("buchholz", _buchholz),
        _by_strengths("median-buchholz", _median_buchholz),
        _sum("points-per-match", _points_per_match),
        _sum("matches-as-red", lambda sums: sums.matches_as_red),
        _given("rating", lower_first=False),
        _given("draw", lower_first=True),
    )
}
"""Every tiebreak by its key. The lots of the draw are the one number of which the smallest stands highest."""


def get_tiebreak(key: str) -> Tiebreak:
    """Return the tiebreak with this key; raises ``ValueError`` with a sentence that names the known keys."""
    try:
        return TIEBREAKS[key]
    except KeyError:
        raise ValueError(f"there is no tiebreak {key!r}; known are {', '.join(TIEBREAKS)}") from None
