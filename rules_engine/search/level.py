"""Levels of play as data, and the strategy that a level makes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rules_engine.protocol import State
from rules_engine.search.budget import Budget
from rules_engine.search.root_search import never, search
from rules_engine.search.view import View

Opening = Callable[[State], str | None]
"""A move that is known without a search, ``None`` where there is none."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of play: what is looked at (``view``) and how far (``budget``)."""

    key: str
    budget: Budget
    view: View[Any]


def no_opening(state: State) -> None:
    """Return no move: every position is searched."""


@dataclass(frozen=True, slots=True)
class Searcher:
    """A strategy: plays at a level. ``out_of_time`` may end a search early; then the best move so far is played."""

    level: Level
    opening: Opening = no_opening
    out_of_time: Callable[[], bool] = never

    def __call__(self, state: State) -> str:
        """Return what to play: a legal move, or several of the same turn joined.

        Raises ``ValueError`` where no side is to act.
        """
        moves = state.legal_moves()
        if not moves:
            raise ValueError(f"no side is to act in {str(state)!r}")
        if len(moves) == 1:
            return moves[0]
        if (known := self.opening(state)) is not None:
            return known
        best = search(state, self.level.view, self.level.budget, out_of_time=self.out_of_time).best
        return moves[0] if best is None else best
