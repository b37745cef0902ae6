"""The search tree: expectimax, alpha-beta between turns of chance, no position searched twice.

Yellow maximises the value, Red minimises it. Each position says who acts next, because the same side may act several
times running. A turn of chance is the mean over all rolls, each searched with an open window; between them alpha-beta
leaves out what cannot matter.
"""

from collections.abc import Callable
from enum import Enum
from typing import Final, Generic

from rules_engine.search.budget import Budget
from rules_engine.search.view import P, View
from rules_engine.values import Nature, Side

MAX_ROLLED: Final = 8
"""The most rolls that are followed with no side acting between them. Of a longer row the value so far is taken."""

LOWEST: Final = -1.0
HIGHEST: Final = 2.0
"""A window that holds every value."""


class OutOfBudget(Exception):
    """The nodes or the time have run out."""


def in_order(side: Side, bounds: tuple[float, float]) -> tuple[float, float]:
    """Return the bounds of a value as ``side`` sees them: what is worst for it, then what is best."""
    return bounds if side is Side.YELLOW else bounds[::-1]


class Bound(Enum):
    """The kinds of stored values."""

    EXACT = "exact"
    AT_LEAST = "at least"
    AT_MOST = "at most"


class Tree(Generic[P]):
    """One search. ``nodes`` counts the positions looked at so far.

    ``remember`` can be switched off to test that it changes nothing but the time.
    """

    def __init__(
        self,
        view: View[P],
        budget: Budget,
        out_of_time: Callable[[], bool],
        *,
        remember: bool = True,
    ) -> None:
        self.view = view
        self.budget = budget
        self.nodes = 0
        self._out_of_time = out_of_time
        self._remember = remember
        self._depth = 1
        self._known: dict[tuple[P, int], tuple[Bound, float]] = {}
        self._expected: dict[tuple[P, int, Side | None, int], float] = {}
        self._hints: dict[P, str] = {}

    def start(self, depth: int) -> None:
        """Begin to search ``depth`` turns ahead; the stored best moves remain."""
        self._depth = depth
        self._known.clear()
        self._expected.clear()

    def count(self, nodes: int) -> None:
        """Add to the positions looked at; raises ``OutOfBudget`` when they are too many, or time is up."""
        self.nodes += nodes
        if self.nodes > self.budget.nodes or self._out_of_time():
            raise OutOfBudget

    def value(
        self,
        position: P,
        left: int,
        actor: Side | None,
        low: float = LOWEST,
        high: float = HIGHEST,
        *,
        rolled: int = 0,
    ) -> float:
        """Return the position's value if it lies between ``low`` and ``high``, else a bound beyond the one it passes.

        ``left`` turns are still to be looked at, the one of ``actor``, who has just acted, included. A roll after the
        last of them is not looked at, nor one after ``MAX_ROLLED`` in a row, of which ``rolled`` have been made.
        Raises ``OutOfBudget``.
        """
        turn = self.view.turn(position)
        if turn is None:
            return self.view.value(position)
        if isinstance(turn, Nature):
            if (actor and left <= 1) or rolled >= MAX_ROLLED:
                return self.view.value(position)
            return self._expectation(position, left, actor, rolled + 1)
        if actor and turn is not actor:
            left -= 1
        if not left:
            return self.view.value(position)
        return self._best(position, left, turn, low, high)

    def _expectation(self, position: P, left: int, actor: Side | None, rolled: int) -> float:
        """Return the mean over all rolls but those that change nothing: they are rolled again, unless all do."""
        key = (position, left, actor, rolled)
        if (known := self._expected.get(key)) is not None:
            return known
        rolls = [roll for roll in self.view.rolls(position) if roll[2] != position]
        if not rolls:
            return self.view.value(position)
        self.count(len(rolls))
        total = sum(probability * self.value(child, left, actor, rolled=rolled) for _, probability, child in rolls)
        mean = total / sum(probability for _, probability, _ in rolls)
        if self._remember:
            self._expected[key] = mean
        return mean

    def _best(self, position: P, left: int, side: Side, low: float, high: float) -> float:
        known = self._known.get((position, left))
        if known:
            bound, value = known
            if (
                bound is Bound.EXACT
                or (bound is Bound.AT_LEAST and value >= high)
                or (bound is Bound.AT_MOST and value <= low)
            ):
                return value
        best, chosen = self._search(position, left, side, low, high)
        if self._remember:
            bound = Bound.AT_MOST if best <= low else Bound.AT_LEAST if best >= high else Bound.EXACT
            self._known[position, left] = bound, best
            self._hints[position] = chosen
        return best

    def _search(self, position: P, left: int, side: Side, low: float, high: float) -> tuple[float, str]:
        """Return the best value of the moves within the breadth, and the first move that has it.

        A side is lost only when all its moves lose: until one does not, the other moves are searched too.
        """
        wants_more = side is Side.YELLOW
        best, chosen = (LOWEST if wants_more else HIGHEST), ""
        worst, _ = in_order(side, self.view.bounds(position))
        breadth = self.budget.breadth_at(self._depth - left)
        for place, (text, child) in enumerate(self._ordered(position, side, breadth)):
            if breadth is not None and place >= breadth and best != worst:
                break
            value = self.value(child, left, side, low, high)
            if value > best if wants_more else value < best:
                best, chosen = value, text
                if wants_more:
                    low = max(low, best)
                else:
                    high = min(high, best)
                if low >= high:
                    break
        return best, chosen

    def _ordered(self, position: P, side: Side, breadth: int | None) -> list[tuple[str, P]]:
        """Return the moves, the most promising first; the earlier best is the first of those within the breadth."""
        found, looked_at = self.view.moves(position)
        self.count(looked_at)
        moves = list(found)
        if len(moves) == 1:
            return moves
        quick_eval = self.view.quick_eval
        moves.sort(key=lambda move: quick_eval(move[1]), reverse=side is Side.YELLOW)
        hint = self._hints.get(position)
        if hint is None:
            return moves
        return [*sorted(moves[:breadth], key=lambda move: move[0] != hint), *(moves[breadth:] if breadth else ())]
