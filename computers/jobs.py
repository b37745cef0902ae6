"""Engine jobs, which take long to run: their fields and results are texts, so that any process can run them.

Nothing here imports Django: a worker process stays small and starts at once.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, ClassVar, Protocol

from computers.time_limits import MAX_SEARCH_SECONDS, MOVE_TIMEOUT
from rules_engine.registry import find_strategy, get_game


class Job(Protocol):
    """A dataclass whose fields can be written as JSON."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    timeout: ClassVar[float]
    """Seconds after which the caller gives up."""

    def run(self) -> str:
        """Return the result, computed in this thread. Raises whatever prevents it."""


@dataclass(frozen=True, slots=True)
class BestMove:
    """Choose a move in a position of a game, at a level. All of them are texts.

    By the ``seed``, a match's own, moves vary that are worth nearly the same.
    """

    game: str
    position: str
    level: str
    seed: str = ""

    timeout: ClassVar[float] = MOVE_TIMEOUT

    def run(self) -> str:
        """Return the strategy's move. Raises ``LookupError`` if the game has no strategy of this level."""
        game = get_game(self.game)
        end = monotonic() + MAX_SEARCH_SECONDS
        strategy = find_strategy(game, self.level, seed=self.seed, out_of_time=lambda: monotonic() > end)
        if strategy is None:
            raise LookupError(f"The computer does not play {game.title} at the level {self.level}.")
        return strategy(game.read(self.position))


JobRunner = Callable[[Job], str]
"""Returns the result of a job. Raises whatever prevented it."""


def run_in_thread(job: Job) -> str:
    """Return the result of a job, computed in this thread."""
    return job.run()


_runners: list[JobRunner] = [run_in_thread]


def run_job(job: Job) -> str:
    """Return the result of a job, computed in this thread or by the runner that ``running_jobs_with`` has set."""
    return _runners[-1](job)


@contextmanager
def running_jobs_with(runner: JobRunner) -> Iterator[None]:
    """Let all threads of this process use another runner while the context lasts."""
    _runners.append(runner)
    try:
        yield
    finally:
        _runners.remove(runner)
