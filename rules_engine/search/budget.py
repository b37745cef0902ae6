"""The limits of a search, and its result."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one search. The same budget gives the same result on every machine.

    ``nodes`` is how many positions are looked at. ``depth`` is how many turns are looked ahead, the one to be played
    included: a turn is all that a side does until the other side acts, or until chance has ended the last one.
    ``breadth`` is how many moves are looked at more closely: in the position itself, once all have been looked at one
    turn deep, then one turn later, and so on. Its last number holds for all later turns; ``None`` is no limit.
    """

    nodes: int
    depth: int
    breadth: tuple[int | None, ...] = (None,)

    def breadth_at(self, turn: int) -> int | None:
        """Return how many moves are looked at more closely so many turns later."""
        return self.breadth[min(turn, len(self.breadth) - 1)]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search from a position.

    ``value`` is Yellow's chance of winning the match, from 0 to 1, a draw counting a half; where chance is to roll, the
    mean over all rolls. ``best`` is what to play, perhaps several actions joined in one text; ``None`` where no side is
    to act, and where the view has no moves to search. ``values`` has the value of each move, or each roll, whose value
    is known and not only bounded. ``nodes`` is how many positions were looked at, ``depth`` how many turns ahead were
    looked at completely. ``alike`` are the best move and those that are worse by less than the margin of the search:
    only the best where it decides everything.
    """

    value: float
    best: str | None
    values: Mapping[str, float]
    nodes: int
    depth: int
    alike: tuple[str, ...] = ()
