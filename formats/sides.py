"""The sides in a match, in legs and at boards (rules: competitions, "Match points and standings").

Kicking off is an advantage. Without a mirrored leg Yellow is who has been Yellow less often in the competition, then
who was not Yellow last, then who comes first in the draw. Forfeited matches count for nobody: they need not have been
played.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from rules_engine.values import BySide, Side

E = TypeVar("E", bound=Hashable)
V = TypeVar("V")


def sides_of_leg(first: V, second: V, leg: int) -> BySide[V]:
    """Return who plays which side in a leg, counted from 1: ``first`` has Yellow in the odd ones."""
    return BySide(first, second) if leg % 2 else BySide(second, first)


def sides_at(board: int, teams: BySide[V]) -> BySide[V]:
    """Return what is Yellow's and what is Red's at a board, from 1, of what is the home team's and its guests'.

    The home team is Yellow on odd boards. From Yellow's and Red's at a board it finds the home team's in the same way.
    """
    return teams if board % 2 else BySide(teams.red, teams.yellow)


def lay_boards(teams: BySide[V], boards: int | None) -> list[tuple[int | None, BySide[V]]]:
    """Return who is Yellow and who is Red in each match of two entrants: one, or of teams one at each board.

    The home team is given as Yellow.
    """
    if boards is None:
        return [(None, teams)]
    return [(board, sides_at(board, teams)) for board in range(1, boards + 1)]


class Balance(Generic[E]):
    """The balance of sides: how often everybody has been Yellow, and on which side everybody was last.

    ``lots`` are the numbers of the draw, the smallest first; ``matches`` come in the order in which they began.
    """

    def __init__(self, lots: Mapping[E, int], matches: Iterable[BySide[E]] = ()) -> None:
        self._lots = lots
        self._as_yellow: Counter[E] = Counter()
        self._last: dict[E, Side] = {}
        for sides in matches:
            self.count(sides)

    def note(self, entrant: E, *, as_yellow: int, last: Side | None) -> None:
        """Take over what an entrant has had so far: times as Yellow, and the last side, if any."""
        self._as_yellow[entrant] = as_yellow
        if last is not None:
            self._last[entrant] = last

    def count(self, sides: BySide[E]) -> None:
        """Count a match that begins."""
        self._as_yellow[sides.yellow] += 1
        self._last[sides.yellow], self._last[sides.red] = Side.YELLOW, Side.RED

    def give(self, one: E, other: E) -> BySide[E]:
        """Return who has which side in a match of these two, and count it."""
        sides = self.weigh(one, other)
        self.count(sides)
        return sides

    def weigh(self, one: E, other: E) -> BySide[E]:
        """Return who has which side in a match of these two, without counting it: nobody plays it."""
        yellow, red = self.by_claim((one, other))
        return BySide(yellow, red)

    def by_claim(self, entrants: Iterable[E]) -> list[E]:
        """Return entrants in the order of their claims to be Yellow, the strongest first."""
        return sorted(entrants, key=self._claim)

    def _claim(self, entrant: E) -> tuple[int, bool, int]:
        """Return what Yellow goes by: the smaller one has it."""
        return self._as_yellow[entrant], self._last.get(entrant) is Side.YELLOW, self._lots[entrant]
