"""Snapshots: many queries that read the database as it was at one moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all queries inside read the database as it is at the first one, whatever is committed meanwhile.

    Nothing is locked, and nothing may be changed. Inside another transaction there is no snapshot of its own.
    """
    if connection.in_atomic_block:
        yield
        return
    with _deferred(), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def _deferred() -> Iterator[None]:
    """Let SQLite's transactions begin as readers, for which nobody waits."""
    sqlite: Any = connection
    if connection.vendor != "sqlite":
        yield
        return
    mode, sqlite.transaction_mode = sqlite.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        sqlite.transaction_mode = mode
