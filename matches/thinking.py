"""Asking a strategy for a move: a question as texts, so that it can be answered in any process.

Nothing here knows Django: a process that only thinks is small, and starts at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from rules_engine.registry import get_game
from rules_engine.strategies import find_strategy

LONGEST = 2.0
"""Seconds after which a strategy has to play the best that it has found."""


@dataclass(frozen=True, slots=True)
class Question:
    """What to play in a position of a game, at a level. All of them are texts, as they are stored."""

    game: str
    position: str
    level: str


Place = Callable[[Question], str]
"""Where strategies are asked. Raises whatever kept a strategy from answering."""


def answer(question: Question) -> str:
    """Return the move of the strategy, thinking in this thread. Raises ``LookupError`` where there is none."""
    game = get_game(question.game)
    end = monotonic() + LONGEST
    strategy = find_strategy(game, question.level, out_of_time=lambda: monotonic() > end)
    if strategy is None:
        raise LookupError(f"The computer does not play {game.title} at the level {question.level}.")
    return strategy(game.read(question.position))


_places: list[Place] = [answer]


def ask(question: Question) -> str:
    """Return a move, from wherever this process has its strategies asked: in itself, unless ``thinking_at``."""
    return _places[-1](question)


@contextmanager
def thinking_at(place: Place) -> Iterator[None]:
    """Have all threads of this process ask elsewhere while the context lasts."""
    _places.append(place)
    try:
        yield
    finally:
        _places.remove(place)
