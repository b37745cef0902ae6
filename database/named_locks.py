"""Locks by name, held until the transaction ends: for rules about rows that may not exist yet."""

from collections.abc import Iterable
from hashlib import sha256

from django.db import connection


def lock_name(name: str) -> None:
    """Wait until no other transaction holds the lock with this name, and hold it until this one ends.

    On SQLite nothing is done: a transaction that writes excludes all others from its beginning.
    """
    lock_names([name])


def lock_names(names: Iterable[str]) -> None:
    """Lock several names, one after the other, as ``lock_name`` does one. One query."""
    if not connection.in_atomic_block:
        raise RuntimeError("A lock is held until the end of a transaction, and there is none.")
    if connection.vendor == "postgresql":
        numbers = [int.from_bytes(sha256(name.encode()).digest()[:8], signed=True) for name in names]
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(number) FROM unnest(%s::bigint[]) AS number", [numbers])
