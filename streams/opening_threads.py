"""The threads that answer requests for streams: each takes several of those that wait, so that few threads change."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Generic, TypeVar

import structlog

OPENING_THREADS = 2
"""The number of threads that open streams, each with a connection to the database that it keeps as web threads do. All
clients may reconnect together; open streams get their events meanwhile."""

MAX_TAKEN = 8
"""The most requests that a thread takes at once. Their answers are handed over together, if they come soon."""

HAND_OVER_INTERVAL = 0.02
"""Seconds after which answers are handed over although the thread is still busy with a request it took with theirs."""

Answer = TypeVar("Answer")

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Opening(Generic[Answer]):
    """A request that waits in an event loop."""

    find: Callable[[], Answer]
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[Answer]

    def run(self) -> Callable[[], None]:
        """Find the answer; return what gives it to the one who waits, to be called in the event loop."""
        try:
            return partial(self._succeed, self.find())
        except BaseException as error:  # noqa: BLE001 - it is raised where the answer is awaited
            return partial(self.fail, error)

    def _succeed(self, answer: Answer) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def fail(self, error: BaseException) -> None:
        """Raise the error where the answer is awaited."""
        if not self.answer.done():
            self.answer.set_exception(error)


class OpeningThreads(Generic[Answer]):
    """Answers requests, in the order in which they came."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(OPENING_THREADS, thread_name_prefix="opening")
        self._lock = Lock()
        self._waiting: deque[_Opening[Answer]] = deque()
        self._answered: deque[tuple[_Opening[Answer], Callable[[], None]]] = deque()
        self._busy = 0
        self._awaited = 0
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, find: Callable[[], Answer]) -> Answer:
        """Return the result of ``find``, run in one of the threads."""
        loop = asyncio.get_running_loop()
        opening = _Opening(find, loop, loop.create_future())
        with self._lock:
            self._waiting.append(opening)
            is_free = self._busy < OPENING_THREADS
            self._busy += is_free
        if is_free:
            self._threads.submit(self._work)
        self._awaited += 1
        if self._timer is None:
            self._timer = loop.call_later(HAND_OVER_INTERVAL, self._hand_over_regularly, loop)
        try:
            return await opening.answer
        finally:
            self._awaited -= 1

    def _work(self) -> None:
        """Answer what waits, until nothing does."""
        while taken := self._take():
            for each in taken:
                self._answered.append((each, each.run()))
            with suppress(RuntimeError):  # The loop has ended meanwhile.
                taken[0].loop.call_soon_threadsafe(self._hand_over)

    def _hand_over_regularly(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hand over what has been answered, again and again while somebody waits."""
        self._hand_over()
        self._timer = loop.call_later(HAND_OVER_INTERVAL, self._hand_over_regularly, loop) if self._awaited else None

    def _hand_over(self) -> None:
        """Give those who wait in the event loop the answers that have been found."""
        while self._answered:
            opening, give = self._answered.popleft()
            try:
                give()
            except Exception:
                # For one, a future takes no StopIteration. The others have to get their answers.
                logger.exception("answer_not_handed_over")
                opening.fail(RuntimeError("The answer could not be handed over."))

    def _take(self) -> list[_Opening[Answer]]:
        """Return the first of those that wait; none if the thread is no longer busy."""
        with self._lock:
            taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_TAKEN))]
            self._busy -= not taken
        return taken
