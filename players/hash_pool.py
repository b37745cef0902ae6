"""The pool that limits how many passwords this process hashes at once: each hash takes memory and a processor."""

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from threading import Event, Lock
from typing import TypeVar

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

from web.errors import PasswordsBusy

T = TypeVar("T")

DELAY = 5
"""Seconds after which a client that was refused should try again."""


@dataclass(eq=False, slots=True)
class _Waiting:
    """A thread that waits for ``places``, and is called when it has them."""

    places: int
    called: Event = field(default_factory=Event)


class HashPool:
    """Runs at most ``places`` hashes at once. The others wait in their order, for ``timeout`` seconds at most.

    The hashes are made in as many threads of the pool's own: the C library keeps memory for each thread that has asked
    for some, and a server may have hundreds of threads.
    """

    def __init__(self, *, places: int, timeout: float) -> None:
        """Start no thread before there is something to hash."""
        self._places = self._free = places
        self._timeout = timeout
        self._queue: deque[_Waiting] = deque()
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(places, thread_name_prefix="hash")

    def run(self, hashing: Callable[[], T], *, places: int = 1) -> T:
        """Return what ``hashing`` returns, once there is room for it; raises PasswordsBusy when there is none in time.

        An expensive hash takes several ``places``, at most all.
        """
        taken = min(places, self._places)
        self._take(taken)
        try:
            return self._threads.submit(hashing).result()
        finally:
            self._give_back(taken)

    def _take(self, places: int) -> None:
        waiting = _Waiting(places)
        with self._lock:
            self._queue.append(waiting)
            self._call()
        can_close = connection.vendor == "sqlite" and not connection.in_atomic_block
        if can_close and not waiting.called.is_set():
            # Hundreds may wait, and a connection to SQLite takes more memory than its thread.
            connection.close()
        if waiting.called.wait(self._timeout):
            return
        with self._lock:
            if waiting.called.is_set():
                return
            self._queue.remove(waiting)
            self._call()
        raise PasswordsBusy(_("Too many people are logging in right now. Try again in a few seconds."), wait=DELAY)

    def _give_back(self, places: int) -> None:
        with self._lock:
            self._free += places
            self._call()

    def _call(self) -> None:
        """Call the threads that are next as long as there is room for them."""
        while self._queue and self._queue[0].places <= self._free:
            first = self._queue.popleft()
            self._free -= first.places
            first.called.set()


@cache
def hash_pool() -> HashPool:
    """Return the pool of this process."""
    return HashPool(places=settings.MAX_PASSWORD_HASHES, timeout=settings.PASSWORD_HASH_TIMEOUT)


# A process that was forked has none of its parent's threads.
os.register_at_fork(after_in_child=hash_pool.cache_clear)
