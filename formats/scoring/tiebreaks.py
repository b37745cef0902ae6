"""The tie-breaks by which standings can be ordered: every one, in one place, for ladders and cups alike.

A tie-break measures a group of entrants. Most need only sums, which a database may have added up; some
need the results themselves; one depends on who is still tied.

Where everybody is paired anew for each round, as in Swiss, rounds without play count towards the strength of opponents
as FIDE's Handbook says: C.07 "Tie-Break Regulations", Article 16, in force since 1 March 2026. Its points are match
points here, those of a draw are the 2-2 of the points table. Elsewhere a match that was forfeited counts as one played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeVar

from formats.scoring.points import STANDARD, PointTable
from rules_engine.values import BySide

E = TypeVar("E", bound=Hashable)

Number = int | Fraction | Decimal
"""The type of a tie-break's number. Exact, so that no order of adding can change it."""


NO_BOARDS = BySide(0, 0)
"""Of single players nobody wins boards."""


@dataclass(frozen=True, slots=True)
class Result(Generic[E]):
    """One counted match between two entrants: match points and goals. Raises ``ValueError`` for one entrant twice.

    The round, and whether the match was played or forfeited, matter only where unplayed rounds do. ``boards`` are those
    won where two teams met.
    """

    yellow: E
    red: E
    points: BySide[int]
    goals: BySide[int]
    round: int = 0
    is_played: bool = True
    boards: BySide[int] = NO_BOARDS

    def __post_init__(self) -> None:
        if self.yellow == self.red:
            raise ValueError(f"{self.yellow!r} cannot meet themselves")


@dataclass(frozen=True, slots=True)
class Bye(Generic[E]):
    """A round without an opponent: match points, no goals, no win, no match as Red.

    The round, and whether it was the entrant's own will to sit it out, matter only where unplayed rounds do.
    """

    entrant: E
    points: int
    round: int = 0
    is_voluntary: bool = False


class Sums(NamedTuple):
    """The sums of an entrant's matches. ``rounds`` are matches and byes together."""

    points: int = 0
    rounds: int = 0
    wins: int = 0
    goals_for: int = 0
    goals_against: int = 0
    matches_as_red: int = 0


class Meeting(NamedTuple, Generic[E]):
    """One round from one entrant's view: the opponent (``None``: a bye), and the match points taken.

    ``is_voluntary`` are the byes that were asked for and the forfeits that were lost (C.07, 16.1.2).
    """

    opponent: E | None
    points: int
    round: int = 0
    is_played: bool = True
    is_voluntary: bool = False


class Strength(NamedTuple):
    """The weight of a round in Buchholz and Sonneborn-Berger: points taken, the opponent's total, by own will."""

    points: int
    total: int
    is_voluntary: bool = False


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
    entrant, and only when a tiebreak needs it. Where a match may count for one of its sides only,
    ``rounds_of`` takes its place: it returns the rounds that count for each of the entrants. By
    ``point_table`` the results have their points.
    ``swiss_rounds`` is how many rounds there have been where unplayed ones count as in Swiss, ``None`` elsewhere.
    """

    sums: Mapping[E, Sums]
    given: Mapping[str, Mapping[E, Number]] = field(default_factory=dict)
    results_of: Callable[[Collection[E]], Iterable[Result[E] | Bye[E]]] | None = None
    point_table: PointTable = STANDARD
    swiss_rounds: int | None = None
    rounds_of: Callable[[Collection[E]], Mapping[E, Iterable[Meeting[E]]]] | None = None
    _meetings: dict[E, list[Meeting[E]]] = field(default_factory=dict)

    @classmethod
    def of_results(
        cls,
        results: Iterable[Result[E] | Bye[E]],
        given: Mapping[str, Mapping[E, Number]] | None = None,
        point_table: PointTable = STANDARD,
        swiss_rounds: int | None = None,
    ) -> Ledger[E]:
        """Return the ledger of results that are all at hand."""
        kept = tuple(results)
        return cls(add_up(kept), given or {}, lambda _: kept, point_table, swiss_rounds)

    def load_meetings(self, entrants: Collection[E]) -> None:
        """Fetch the results of all these entrants at once, as far as they are not known yet.

        Where unplayed rounds count as in Swiss, those of their opponents follow.
        """
        self._fetch({entrant for entrant in entrants if entrant not in self._meetings})
        if self.swiss_rounds is not None:
            met = {each.opponent for entrant in entrants for each in self._meetings[entrant]}
            self._fetch({entrant for entrant in met if entrant is not None and entrant not in self._meetings})

    def meetings_of(self, entrant: E) -> list[Meeting[E]]:
        """Return the entrant's rounds, in no particular order. ``load_meetings`` comes first."""
        return self._meetings[entrant]

    def strengths_met(self, entrant: E) -> list[Strength]:
        """Return, for each of the entrant's rounds, the points taken and the opponent's total points.

        A bye counts as a match with somebody of the entrant's own total.
        """
        total_of = self._total_met if self.swiss_rounds is None else self._total_met_in_swiss
        return [Strength(met.points, total_of(entrant, met), met.is_voluntary) for met in self.meetings_of(entrant)]

    def _fetch(self, missing: Collection[E]) -> None:
        if not missing:
            return
        if self.rounds_of is not None:
            rounds = self.rounds_of(missing)
            self._meetings.update({entrant: list(rounds.get(entrant, ())) for entrant in missing})
            return
        if self.results_of is None:
            raise ValueError("this ledger has sums only, but a tiebreak needs the results")
        self._meetings.update({entrant: [] for entrant in missing})
        for result in self.results_of(missing):
            if isinstance(result, Bye):
                if result.entrant in missing:
                    bye = Meeting[E](None, result.points, result.round, False, result.is_voluntary)
                    self._meetings[result.entrant].append(bye)
                continue
            for entrant, opponent, own, other in (
                (result.yellow, result.red, result.points.yellow, result.points.red),
                (result.red, result.yellow, result.points.red, result.points.yellow),
            ):
                if entrant in missing:
                    is_lost = not result.is_played and own <= other
                    self._meetings[entrant].append(Meeting(opponent, own, result.round, result.is_played, is_lost))

    def _points_of(self, entrant: E) -> int:
        return self.sums.get(entrant, _NOTHING).points

    def _total_met(self, entrant: E, met: Meeting[E]) -> int:
        return self._points_of(entrant if met.opponent is None else met.opponent)

    def _total_met_in_swiss(self, entrant: E, met: Meeting[E]) -> int:
        """Return the total of the entrant who was met by C.07: of the opponent, or of a dummy in a round without play.

        The dummy has the entrant's own total, but not more than an opponent who forfeited or gained by it (16.4.1), nor
        in a bye than draws in all rounds give (16.4.2).
        """
        if met.is_played and met.opponent is not None:
            return self._adjusted_points_of(met.opponent)
        if met.opponent is not None:
            return min(self._points_of(entrant), self._adjusted_points_of(met.opponent))
        return min(self._points_of(entrant), self.point_table.drawn * (self.swiss_rounds or 0))

    def _adjusted_points_of(self, entrant: E) -> int:
        """Return the total as it counts for opponents: byes of own will at the end are draws (C.07, 16.3)."""
        rounds = self.meetings_of(entrant)
        last = max((each.round for each in rounds if not each.is_voluntary), default=0)
        sat_out = [each for each in rounds if each.opponent is None and each.round > last]
        return self._points_of(entrant) + sum(self.point_table.drawn - each.points for each in sat_out)


@dataclass(frozen=True, slots=True)
class Tiebreak:
    """One way to order entrants.

    ``measure`` returns a number for each of a group.
    ``needs_results``: sums are not enough. ``among_tied``: the numbers depend on who is in the group.
    ``lower_first``: the smaller number stands higher.
    ``sql``: the same number, in the same order and as exact, out of the columns of an entrant's sums; ``None`` where
    only Python measures it.
    """

    key: str
    measure: Callable[[Ledger[Any], Collection[Any]], Mapping[Any, Number]]
    needs_results: bool = False
    among_tied: bool = False
    lower_first: bool = False
    sql: str | None = None


def _sum(key: str, number: Callable[[Sums], Number], sql: str) -> Tiebreak:
    def measure(ledger: Ledger[E], group: Collection[E]) -> dict[E, Number]:
        sums = ledger.sums
        return {entrant: number(sums.get(entrant, _NOTHING)) for entrant in group}

    return Tiebreak(key, measure, sql=sql)


def _given(key: str, *, lower_first: bool, sql: str | None = None) -> Tiebreak:
    def measure(ledger: Ledger[E], group: Collection[E]) -> dict[E, Number]:
        try:
            numbers = ledger.given[key]
            return {entrant: numbers[entrant] for entrant in group}
        except KeyError as missing:
            raise ValueError(f"standings by {key!r} need that number for every entrant: {missing} is missing") from None

    return Tiebreak(key, measure, lower_first=lower_first, sql=sql)


def _by_strengths(key: str, number: Callable[[list[Strength]], Number]) -> Tiebreak:
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
        entrant: Fraction(sum(met.points * met.total for met in ledger.strengths_met(entrant)), most)
        for entrant in group
    }


def _buchholz(met: list[Strength]) -> Number:
    return sum(each.total for each in met)


def _median_buchholz(met: list[Strength]) -> Number:
    """Return the totals without the highest and the lowest: the lowest round sat out by own will goes first (16.5)."""
    if len(met) < 3:
        return 0
    lowest = min(met, key=lambda each: (not each.is_voluntary, each.total))
    rest = sorted(each.total for each in met)
    rest.remove(lowest.total)
    return sum(rest[:-1])


_POINTS_PER_MATCH = "CASE WHEN played > 0 THEN CAST(points AS double precision) / played ELSE 0 END"
"""Exact enough: two such quotients that differ do so as floating-point numbers, too, up to 67 million points."""

TIEBREAKS: dict[str, Tiebreak] = {
    tiebreak.key: tiebreak
    for tiebreak in (
        _sum("points", lambda sums: sums.points, "points"),
        Tiebreak("head-to-head", _measure_head_to_head, needs_results=True, among_tied=True),
        _sum("wins", lambda sums: sums.wins, "won"),
        _sum("goal-difference", lambda sums: sums.goals_for - sums.goals_against, "goals_for - goals_against"),
        _sum("goals", lambda sums: sums.goals_for, "goals_for"),
        Tiebreak("sonneborn-berger", _measure_sonneborn_berger, needs_results=True),
        _by_strengths("buchholz", _buchholz),
        _by_strengths("median-buchholz", _median_buchholz),
        _sum("points-per-match", _points_per_match, _POINTS_PER_MATCH),
        _sum("matches-as-red", lambda sums: sums.matches_as_red, "as_red"),
        _given("rating", lower_first=False),
        _given("draw", lower_first=True, sql="draw"),
    )
}
"""Every tiebreak by its key. The lots of the draw are the one number of which the smallest stands highest."""


TEAM_TIEBREAKS: dict[str, Tiebreak] = {
    tiebreak.key: tiebreak
    for tiebreak in (_given("match-points", lower_first=False), _given("boards", lower_first=False))
}
"""The sums that only meetings of teams have, by their keys."""


def get_tiebreak(key: str) -> Tiebreak:
    """Return the tiebreak with this key; raises ``ValueError`` with a sentence that names the known keys."""
    try:
        return TEAM_TIEBREAKS.get(key) or TIEBREAKS[key]
    except KeyError:
        raise ValueError(f"there is no tiebreak {key!r}; known are {', '.join(TIEBREAKS)}") from None
