"""The password hasher. Each hash is computed in the hash pool of the process, and waits for a place there."""

import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from math import ceil
from threading import Event, Lock
from typing import TypeVar

from django.conf import settings
from django.contrib.auth import hashers
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


class Argon2PasswordHasher(hashers.Argon2PasswordHasher):
    """Argon2id with the parameters of the settings. A hash with others is replaced at the next log-in."""

    @property
    def time_cost(self) -> int:  # type: ignore[override]
        """Return Argon2's number of passes over the memory."""
        return int(settings.ARGON2_TIME_COST)

    @property
    def memory_cost(self) -> int:  # type: ignore[override]
        """Return the memory that a hash takes, in KiB."""
        return int(settings.ARGON2_MEMORY_COST)

    @property
    def parallelism(self) -> int:  # type: ignore[override]
        """Return the number of threads that compute a hash."""
        return int(settings.ARGON2_PARALLELISM)

    def encode(self, password: str, salt: str) -> str:
        """Return the hash of a password, when it is its turn; raises PasswordsBusy."""
        return hash_pool().run(lambda: super(Argon2PasswordHasher, self).encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Return whether this is the hash's password, when it is its turn; raises PasswordsBusy.

        A hash that was made with more memory takes the places of several.
        """
        places = ceil(self.decode(encoded)["memory_cost"] / self.memory_cost)
        return hash_pool().run(lambda: super(Argon2PasswordHasher, self).verify(password, encoded), places=places)


class PBKDF2PasswordHasher(hashers.PBKDF2PasswordHasher):
    """PBKDF2, Django's default, for accounts whose hashes come from elsewhere."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        """Return the hash of a password, when it is its turn; raises PasswordsBusy. A check computes it, too."""
        return hash_pool().run(lambda: super(PBKDF2PasswordHasher, self).encode(password, salt, iterations))
