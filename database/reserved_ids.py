"""Ids of rows that are stored later, for values that follow from a row's own id.

The dice of a match are drawn from it: a match that has its id is stored once, with its first dice.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Model

from database.clock import current_moment

_NEXT = """
    SELECT array_agg(nextval(pg_get_serial_sequence(%s, %s))), statement_timestamp() FROM generate_series(1, %s)
"""

_ADVANCE = "UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s RETURNING seq"
_BEGIN = "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)"


@dataclass(frozen=True, slots=True)
class Reserved:
    """Ids, and the moment at which they were reserved, by the database's clock in whole milliseconds."""

    ids: list[int]
    at: datetime


def reserve_ids(model: type[Model], number: int) -> Reserved:
    """Return so many ids that no row of the model has, and that the database gives to none. In a transaction.

    On PostgreSQL they are gone even if it is rolled back. On SQLite they are written down, so that no other transaction
    can write before this one has ended; if it is rolled back, the next one gets them.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("Ids are reserved in the transaction that stores their rows, and there is none.")
    known: Any = model._meta  # noqa: SLF001 - what Django documents
    table = known.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_NEXT, [connection.ops.quote_name(table), known.pk.column, number])
            ids, at = cursor.fetchone()
            return Reserved(ids, _whole_millisecond(at))
        cursor.execute(_ADVANCE, [number, table])
        rows = cursor.fetchall()
        if not rows:
            cursor.execute(_BEGIN, [table, number])
        last: int = rows[0][0] if rows else number
    return Reserved([*range(last - number + 1, last + 1)], _whole_millisecond(current_moment()))


def _whole_millisecond(moment: datetime) -> datetime:
    """Return the moment as SQLite keeps it: what changes later must not be dated earlier."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)
