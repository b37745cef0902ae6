"""The stored rows of a table, many at once: objects of the ORM would cost more than all the rest."""

from __future__ import annotations

import json
from collections.abc import Collection

from django.db import connection

from tournaments.selectors.standings import Line

_MOVE = """
    UPDATE tournaments_standing AS stored
       SET previous_place = CASE WHEN line.place = stored.place THEN stored.previous_place ELSE stored.place END,
           place = line.place, decided_by = line.decided_by
      FROM {lines}
     WHERE stored.entry_id = line.entry_id
"""
_AS_ARRAYS = "unnest(%s::bigint[], %s::integer[], %s::text[]) AS line (entry_id, place, decided_by)"
_AS_JSON = """(
    SELECT value ->> 0 AS entry_id, value ->> 1 AS place, value ->> 2 AS decided_by FROM json_each(%s)
) AS line"""


def read_lines(*, event_id: int) -> dict[int, Line]:
    """Return the rows of an event's table as they are stored, by entry id."""
    names = ", ".join(connection.ops.quote_name(name) for name in Line._fields)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {names} FROM tournaments_standing WHERE event_id = %s", [event_id])  # noqa: S608
        return {row[0]: Line._make((*row[:3], _read_values(row[3]), *row[4:])) for row in cursor.fetchall()}


def move_lines(*, lines: Collection[Line]) -> None:
    """Store place and deciding metric of rows that exist, and the place before where it has changed."""
    if not lines:
        return
    columns = [list(column) for column in zip(*(line[:3] for line in lines), strict=True)]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_MOVE.format(lines=_AS_ARRAYS), columns)
        else:
            cursor.execute(_MOVE.format(lines=_AS_JSON), [json.dumps([line[:3] for line in lines])])


def _read_values(stored: str) -> dict[str, str]:
    return json.loads(stored) if stored != "{}" else {}
