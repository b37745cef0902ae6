"""Levels of play as data, and the strategy that a level makes."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from rules_engine.protocol import State
from rules_engine.search.budget import Budget
from rules_engine.search.root_search import never, search
from rules_engine.search.view import View

NEARLY: Final = 0.0002
"""The chance of winning by which moves may differ that are worth nearly the same."""

Opening = Callable[[State, str], str | None]
"""A move that is known without a search, given the seed of the match; ``None`` where there is none."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of play: what is looked at (``view``) and how far (``budget``)."""

    key: str
    budget: Budget
    view: View[Any]


def no_opening(state: State, seed: str) -> None:
    """Return no move: every position is searched."""


@dataclass(frozen=True, slots=True)
class Searcher:
    """A strategy: plays at a level. ``out_of_time`` may end a search early; then the best move so far is played.

    With a ``seed`` it plays any of the moves that are worth nearly as much as the best: which one follows from the seed
    and the position. Without, it plays the best one found, the first of equals.
    """

    level: Level
    opening: Opening = no_opening
    out_of_time: Callable[[], bool] = never
    seed: str = ""

    def __call__(self, state: State) -> str:
        """Return what to play: a legal move, or several of the same turn joined.

        Raises ``ValueError`` where no side is to act.
        """
        moves = state.legal_moves()
        if not moves:
            raise ValueError(f"no side is to act in {str(state)!r}")
        if len(moves) == 1:
            return moves[0]
        if (known := self.opening(state, self.seed)) is not None:
            return known
        level, margin = self.level, NEARLY if self.seed else 0.0
        result = search(state, level.view, level.budget, margin=margin, out_of_time=self.out_of_time)
        if result.best is None:
            return moves[0]
        if not self.seed:
            return result.best
        digest = sha256(f"{self.seed} {state}".encode()).digest()
        return result.alike[int.from_bytes(digest) % len(result.alike)]
