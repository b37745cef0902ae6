"""How many files a process may have open: each connection is one, and so is each file or database that it opens."""

import os
import resource
import sys
from collections.abc import Callable, Iterable
from typing import Any

from web.limits.slots import REFUSED, Application, Environ, closing

KEPT_FREE = 32
"""How many files a server keeps free for what it opens itself."""

OWN_FILES = 128
"""More than a server has open beside its connections: databases, Redis, metrics, and what is just being closed."""

ENOUGH = 4096
"""As many files a server may have open, if the system lets it: what shells and services are given is often less."""

ALWAYS_ANSWERED = "/health/live"


def max_open_files() -> int:
    """Return how many files this process may have open."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


def allow_enough_files() -> None:
    """Let this process, and those that it starts, have ``ENOUGH`` files open, or as many as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = ENOUGH if hard == resource.RLIM_INFINITY else min(ENOUGH, hard)
    if soft != resource.RLIM_INFINITY and soft < enough:
        resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))


def count_free_files() -> int:
    """Return how many more files this process may open, if it has closed none between others."""
    try:
        # The system gives each file the lowest number that is free.
        number = os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return 0
    os.close(number)
    return max_open_files() - number


def max_connections() -> int:
    """Return how many connections a server may accept that keeps enough files free."""
    return max(max_open_files() - KEPT_FREE - OWN_FILES, KEPT_FREE)


class SpareFiles:
    """Refuses requests under WSGI, and closes their connections, before so many are open that none is accepted."""

    def __init__(self, application: Application) -> None:
        """Wrap the application."""
        self._application = application

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Serve one request."""
        if environ["PATH_INFO"] == ALWAYS_ANSWERED or count_free_files() >= KEPT_FREE + OWN_FILES:
            return self._application(environ, start_response)
        refused = environ | {REFUSED: "Too few files are free: too many connections are open."}
        return self._application(refused, closing(start_response))
