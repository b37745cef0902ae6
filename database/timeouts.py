"""How long PostgreSQL may take, and for how long it is left alone when it has not answered at all."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Any

from django.db import OperationalError, connection

UNANSWERED_DELAY = 2.0
"""Seconds for which no new connection is tried after one that got no answer."""

CONNECTING = {
    "connect_timeout": 2,
    "tcp_user_timeout": 3000,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
"""The client library's options by which a server that vanishes without a word is given up after a few seconds."""

REPLY_MARGIN = 5.0
"""Seconds in which a server should have ended a statement that may take no longer."""


def limit(*, statement: float, lock: float, is_pooled: bool) -> dict[str, Any]:
    """Return the options of a connection whose statements and waits for locks end after so many seconds, 0 for never.

    A pooler like PgBouncer refuses options of the server: where one ``is_pooled``, only the client looks at the time.
    """
    by_server = f"-c statement_timeout={round(statement * 1000)} -c lock_timeout={round(lock * 1000)}"
    options: dict[str, Any] = {**CONNECTING, "reply_timeout": statement + REPLY_MARGIN if statement else None}
    return options if is_pooled else {**options, "options": by_server}


class Limits:
    """Whether the limits of statements hold for connections that are made now."""

    hold = True


@contextmanager
def unlimited() -> Iterator[None]:
    """Let statements take as long as they need while the context lasts: for commands, over connections of their own."""
    _close()
    Limits.hold = False
    try:
        yield
    finally:
        Limits.hold = True
        _close()


class Unanswered:
    """Holds until when PostgreSQL is left alone because it did not answer, and lets one at a time try again."""

    def __init__(self) -> None:
        self._until: float | None = None
        self._trying = Lock()

    def note(self) -> None:
        """Leave it alone for a while from now on."""
        self._until = monotonic() + UNANSWERED_DELAY

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Let somebody connect. Raises ``OperationalError`` at once if that would only make one more wait."""
        if self._until is None:
            yield
            return
        if monotonic() < self._until or not self._trying.acquire(blocking=False):
            raise OperationalError("PostgreSQL has not answered others a moment ago.")
        try:
            yield
            self._until = None
        finally:
            self._trying.release()


def _close() -> None:
    if not connection.in_atomic_block:
        connection.close()
