"""Asking for what takes long to think about: questions and answers are texts, so that any process can answer them.

Nothing here knows Django: a process that only thinks is small, and starts at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, ClassVar, Protocol

from rules_engine.registry import find_strategy, get_game

MAX_SECONDS = 2.0
"""Seconds after which a strategy has to play the best that it has found."""


class Job(Protocol):
    """A question: a dataclass whose fields can be written as JSON."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    patience: ClassVar[float]
    """Seconds after which whoever asks gives up."""

    def answer(self) -> str:
        """Return the answer, thinking in this thread. Raises whatever keeps it from being found."""


@dataclass(frozen=True, slots=True)
class BestMove:
    """What to play in a position of a game, at a level. All of them are texts, as they are stored."""

    game: str
    position: str
    level: str

    patience: ClassVar[float] = 10.0

    def answer(self) -> str:
        """Return the move of the strategy. Raises ``LookupError`` where there is none."""
        game = get_game(self.game)
        end = monotonic() + MAX_SECONDS
        strategy = find_strategy(game, self.level, out_of_time=lambda: monotonic() > end)
        if strategy is None:
            raise LookupError(f"The computer does not play {game.title} at the level {self.level}.")
        return strategy(game.read(self.position))


Place = Callable[[Job], str]
"""Where questions are asked. Raises whatever kept them from being answered."""


def answer(question: Job) -> str:
    """Return the answer, thinking in this thread."""
    return question.answer()


_places: list[Place] = [answer]


def ask(question: Job) -> str:
    """Return the answer, from wherever this process has its questions asked: in itself, unless ``running_jobs_at``."""
    return _places[-1](question)


@contextmanager
def running_jobs_at(place: Place) -> Iterator[None]:
    """Have all threads of this process ask elsewhere while the context lasts."""
    _places.append(place)
    try:
        yield
    finally:
        _places.remove(place)
