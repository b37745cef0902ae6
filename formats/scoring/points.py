"""The worth of a match: outcomes to match points (rules: competitions, "Match points and standings").

How a match ended is one fact, what it is worth another. A game says which of the outcomes 5-0, 4-1, 3-2 and 2-2 a match
had; a competition's point table says what each of them is worth there. The two sides' points need not add up to the
same sum twice.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from rules_engine.values import BySide, Ending, Outcome, Side

Points = BySide[int]
"""Match points, Yellow's first."""

MAX_POINTS = 100
"""The most match points that a table can give for a match."""


@dataclass(frozen=True, slots=True)
class TeamScore:
    """The sum of the boards of a meeting of two teams, the home team's numbers as Yellow's.

    ``boards`` counts who has won how many; goals and match points are those of all boards together.
    """

    match_points: BySide[int]
    boards: BySide[int]
    goals: BySide[int]

    @property
    def winner(self) -> Side | None:
        """Return which side has won: by match points, then by boards won, then by goals; ``None`` for nobody."""
        for numbers in (self.match_points, self.boards, self.goals):
            if numbers.yellow != numbers.red:
                return Side.YELLOW if numbers.yellow > numbers.red else Side.RED
        return None

    @property
    def league_points(self) -> BySide[int]:
        """Return what the meeting is worth in a league: 2 for a win, 1 each for a draw; nothing where nobody played."""
        if self.winner is None:
            drawn = 1 if self.match_points.yellow else 0
            return BySide(drawn, drawn)
        return BySide(2, 0) if self.winner is Side.YELLOW else BySide(0, 2)


class Scorer(Protocol):
    """Anything that can say what an outcome is worth by itself: every game."""

    def match_points(self, outcome: Outcome) -> Points:
        """Return 5-0, 4-1 or 3-2 for the winner, or 2-2."""


class Worth(NamedTuple):
    """The worth of a match that somebody won to the winner and to the loser."""

    winner: int
    loser: int


class TableFault(StrEnum):
    """The ways in which a point table can be wrong."""

    UNKNOWN = "unknown"
    MISSING = "missing"
    WRONG_TYPE = "wrong-type"
    OUT_OF_BOUNDS = "out-of-bounds"
    WIN_NOT_ABOVE_LOSS = "win-not-above-loss"
    WIN_BELOW_DRAW = "win-below-draw"
    ABOVE_MAXIMUM = "above-maximum"
    ABOVE_DRAW = "above-draw"


class InvalidPointTable(ValueError):
    """A point table that cannot be taken: the fault of each of its numbers, by the name that it has in JSON."""

    def __init__(self, faults: Mapping[str, TableFault]) -> None:
        super().__init__(", ".join(f"{name}: {fault}" for name, fault in faults.items()))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class PointTable:
    """The points of a competition for the outcomes 5-0, 4-1 and 3-2, which somebody won, and 2-2, which nobody did.

    ``drawn`` is what each side gets for 2-2, ``bye`` what an entrant gets without an opponent, ``neither`` what each
    side gets for a match that neither played. All are whole numbers from 0 to ``MAX_POINTS``. A winner gets more than
    the loser, which tells a win from a draw wherever only points are left of it, and no less than a draw gives; a bye
    gives no more than a match can, and a match that neither played no more than a draw.

    Raises ``InvalidPointTable``.
    """

    five_nil: Worth
    four_one: Worth
    three_two: Worth
    drawn: int
    bye: int
    neither: int = 0

    def __post_init__(self) -> None:
        if faults := dict(self._find_faults()):
            raise InvalidPointTable(faults)

    @property
    def wins(self) -> dict[str, Worth]:
        """Return what the outcomes that somebody won are worth, by their names."""
        return {"5-0": self.five_nil, "4-1": self.four_one, "3-2": self.three_two}

    @property
    def maximum(self) -> int:
        """Return the most that can be had in a match."""
        return max(worth.winner for worth in self.wins.values())

    def translate(self, points: Points) -> Points:
        """Return what a match is worth here to which its game gives these points."""
        if points.yellow == points.red:
            return BySide(self.drawn, self.drawn)
        won, lost = self.wins[f"{max(points)}-{min(points)}"]
        return BySide(won, lost) if points.yellow > points.red else BySide(lost, won)

    def _find_faults(self) -> Iterator[tuple[str, TableFault]]:
        numbers = {**self.wins, "2-2": (self.drawn,), "bye": (self.bye,), "neither": (self.neither,)}
        bounded = {name: all(0 <= number <= MAX_POINTS for number in each) for name, each in numbers.items()}
        if not all(bounded.values()):
            yield from ((name, TableFault.OUT_OF_BOUNDS) for name, is_bounded in bounded.items() if not is_bounded)
            return
        for name, (winner, loser) in self.wins.items():
            if winner <= loser:
                yield name, TableFault.WIN_NOT_ABOVE_LOSS
            elif winner < self.drawn:
                yield name, TableFault.WIN_BELOW_DRAW
        if self.bye > self.maximum:
            yield "bye", TableFault.ABOVE_MAXIMUM
        if self.neither > self.drawn:
            yield "neither", TableFault.ABOVE_DRAW


def _flat(win: int, drawn: int) -> PointTable:
    """Return a table that gives every winner the same, and losers nothing."""
    return PointTable(Worth(win, 0), Worth(win, 0), Worth(win, 0), drawn=drawn, bye=win)


STANDARD = PointTable(Worth(5, 0), Worth(4, 1), Worth(3, 2), drawn=2, bye=5)
"""The table of most competitions: the points that the games give, and those of a normal win for a bye."""

STOCK_TABLES: dict[str, PointTable] = {"5-4-3-2": STANDARD, "3-1-0": _flat(3, 1), "2-1-0": _flat(2, 1)}
"""The tables that organisers choose by name."""


def name_table(table: PointTable) -> str | None:
    """Return the key of the stock table that this one is, ``None`` for a table of an organiser's own."""
    return next((key for key, stock in STOCK_TABLES.items() if stock == table), None)


def write_table(table: PointTable) -> dict[str, Any]:
    """Return the table as it is stored in JSON: wins as pairs, the winner's points first, all else as numbers."""
    wins = {name: list(worth) for name, worth in table.wins.items()}
    return {**wins, "2-2": table.drawn, "bye": table.bye, "neither": table.neither}


def write_standard_table() -> dict[str, Any]:
    """Return the standard table as it is stored in JSON."""
    return write_table(STANDARD)


def read_table(values: Mapping[str, Any]) -> PointTable:
    """Return the table that ``write_table`` would write so. Raises ``InvalidPointTable``."""
    kinds = {name: _is_pair if isinstance(value, list) else _is_number for name, value in _WRITTEN.items()}
    faults = {name: TableFault.UNKNOWN for name in values if name not in kinds}
    for name, is_right in kinds.items():
        if name not in values:
            faults[name] = TableFault.MISSING
        elif not is_right(values[name]):
            faults[name] = TableFault.WRONG_TYPE
    if faults:
        raise InvalidPointTable(faults)
    five_nil, four_one, three_two = (Worth(*values[name]) for name in STANDARD.wins)
    return PointTable(five_nil, four_one, three_two, values["2-2"], values["bye"], values["neither"])


def points_of(game: Scorer, outcome: Outcome, table: PointTable) -> Points:
    """Return what the outcome of a match of this game is worth by a competition's table.

    A forfeit that nobody won is the match that neither side played.
    """
    if outcome.winner is None and outcome.ending is Ending.FORFEIT:
        return BySide(table.neither, table.neither)
    return table.translate(game.match_points(outcome))


def _is_number(value: object) -> bool:
    return type(value) is int


def _is_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_number, value))


_WRITTEN = write_table(STANDARD)
