"""The threads that answer requests for streams: each takes several of those that wait, so that few threads change."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Generic, TypeVar

OPENING_THREADS = 2
"""How many threads open streams, each with a connection to the database that it keeps as web threads do. All clients
may reconnect together; open streams get their events meanwhile."""

MAX_TAKEN = 8
"""How many requests a thread takes: the first of them waits until the last has been answered."""

Answer = TypeVar("Answer")


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
            return partial(self._fail, error)

    def _succeed(self, answer: Answer) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def _fail(self, error: BaseException) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class OpeningThreads(Generic[Answer]):
    """Answers requests, in the order in which they came."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(OPENING_THREADS, thread_name_prefix="opening")
        self._lock = Lock()
        self._waiting: deque[_Opening[Answer]] = deque()
        self._busy = 0

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
        return await opening.answer

    def _work(self) -> None:
        """Answer what waits, until nothing does."""
        while taken := self._take():
            answered = [each.run() for each in taken]
            with suppress(RuntimeError):  # The loop has ended meanwhile.
                taken[0].loop.call_soon_threadsafe(_call_all, answered)

    def _take(self) -> list[_Opening[Answer]]:
        """Return the first of those that wait; none if the thread is no longer busy."""
        with self._lock:
            taken = [self._waiting.popleft() for _ in range(min(len(self._waiting), MAX_TAKEN))]
            self._busy -= not taken
        return taken


def _call_all(calls: Iterable[Callable[[], None]]) -> None:
    for call in calls:
        call()
