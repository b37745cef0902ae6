"""Reading from a replica, which may be some moments behind: only where a view asks for it, and never to write."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

REPLICA = "replica"
FAILURE_DELAY = 10.0
"""Seconds for which nothing is read from a replica that did not answer."""

_alias: ContextVar[str] = ContextVar("alias", default=DEFAULT_DB_ALIAS)


class _Outage:
    """Holds until when the replica is left alone, by the monotonic clock."""

    until = 0.0


class ReplicaRouter:
    """Reads where ``reading_replica`` says, and writes to the primary."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        """Return the database that is read from now."""
        return _alias.get()

    def db_for_write(self, model: Any, **hints: Any) -> str:
        """Return the primary."""
        return DEFAULT_DB_ALIAS

    def allow_relation(self, first: Any, second: Any, **hints: Any) -> bool:
        """Return true: both databases have the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """Return whether it is the primary: the replica gets its tables from it."""
        return db == DEFAULT_DB_ALIAS


def read_alias() -> str:
    """Return the alias of the database that is read from now."""
    return _alias.get()


def has_replica() -> bool:
    """Return whether there is a replica that has answered lately, as far as is known."""
    return REPLICA in connections.databases and time.monotonic() >= _Outage.until


def leave_alone() -> None:
    """Read nothing from the replica for a while."""
    _Outage.until = time.monotonic() + FAILURE_DELAY


@contextmanager
def reading_replica() -> Iterator[None]:
    """Let queries that only read go to the replica. Errors of the replica are raised."""
    before = _alias.set(REPLICA)
    try:
        yield
    finally:
        _alias.reset(before)
