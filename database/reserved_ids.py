"""Ids of rows that are stored later, for values that follow from a row's own id.

The dice of a match are drawn from it: a match that has its id is stored once, with its first dice.
"""

from typing import Any

from django.db import connection
from django.db.models import Model

_NEXT = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"

_ADVANCE = "UPDATE sqlite_sequence SET seq = seq + %s WHERE name = %s RETURNING seq"
_BEGIN = "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)"


def reserve_ids(model: type[Model], number: int) -> list[int]:
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
            return [reserved for (reserved,) in cursor.fetchall()]
        cursor.execute(_ADVANCE, [number, table])
        rows = cursor.fetchall()
        if not rows:
            cursor.execute(_BEGIN, [table, number])
        last: int = rows[0][0] if rows else number
    return [*range(last - number + 1, last + 1)]
