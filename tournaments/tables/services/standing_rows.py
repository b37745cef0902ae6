"""The stored rows of a table, many at once: objects of the ORM would cost more than all the rest."""

import json
from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection

from tournaments.records import table_sections
from tournaments.records.standings import COUNTED, PLACED, Line

_VALUES = Line._fields.index("values")
_TEXTS = ("decided_by", "values")
_TYPES = {"seat_id": "bigint", **dict.fromkeys(_TEXTS, "text")}

_MOVE = """
    UPDATE tournaments_standing AS stored
       SET previous_place = CASE WHEN line.place = stored.place THEN stored.previous_place ELSE stored.place END,
           place = line.place, decided_by = line.decided_by
      FROM {lines}
     WHERE stored.seat_id = line.seat_id
"""
_COUNT = """
    INSERT INTO tournaments_standing (group_id, {names})
    SELECT %s, {values}
      FROM {lines}
     WHERE true
        ON CONFLICT (seat_id) DO UPDATE SET {updates}
"""


def read_lines(*, group_id: int) -> dict[int, Line]:
    """Return the rows of a group's table as they are stored, by seat id."""
    names = ", ".join("NULLIF(\"values\", '{}')" if name == "values" else _quote(name) for name in Line._fields)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {names} FROM tournaments_standing WHERE group_id = %s", [group_id])  # noqa: S608
        rows = cursor.fetchall()
    return {row[0]: Line._make(row if row[_VALUES] is None else _with_values(row)) for row in rows}


def write_placed(lines: Collection[Line]) -> list[Any]:
    """Return rows as ``move_rows`` takes them."""
    return _write(PLACED, [line[: len(PLACED)] for line in lines])


def write_whole(lines: Collection[Line]) -> list[Any]:
    """Return rows as ``count_rows`` takes them."""
    return _write(Line._fields, [(*line[:3], json.dumps(line.values or {}), *line[4:]) for line in lines])


def move_rows(rows: list[Any]) -> None:
    """Store place and deciding tiebreak of rows that exist, and the place before where it has changed."""
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(_MOVE.format(lines=_read_from(PLACED)), rows)


def count_rows(rows: list[Any], *, group_id: int) -> None:
    """Store what the results of entrants add up to; a row that is new is stored as a whole."""
    if not rows:
        return
    statement = _COUNT.format(
        names=", ".join(map(_quote, Line._fields)),
        values=", ".join(map(_take, Line._fields)),
        lines=_read_from(Line._fields),
        updates=", ".join(f"{_quote(name)} = excluded.{_quote(name)}" for name in COUNTED),
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [group_id, *rows])


def _read_from(names: Sequence[str]) -> str:
    """Return the table ``line`` of rows with these columns, which are the parameters of its statement."""
    if connection.vendor == "postgresql":
        arrays = ", ".join(f"%s::{_TYPES.get(name, 'integer')}[]" for name in names)
        return f"unnest({arrays}) AS line ({', '.join(map(_quote, names))})"
    fields = ", ".join(f"value ->> {number} AS {_quote(name)}" for number, name in enumerate(names))
    return f"(SELECT {fields} FROM json_each(%s)) AS line"  # noqa: S608


def _write(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the parameters that ``_read_from`` reads these rows from: on PostgreSQL one array for each column."""
    if not rows:
        return []
    if connection.vendor == "postgresql":
        columns = zip(names, zip(*rows, strict=True), strict=True)
        return [list(column) if name in _TEXTS else _write_integers(column) for name, column in columns]
    return [json.dumps(rows)]


def _with_values(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*row[:_VALUES], json.loads(row[_VALUES]), *row[_VALUES + 1 :])


def _write_integers(column: Sequence[int | None]) -> str:
    """Return an array as PostgreSQL writes it: the driver would take ten times as long, number by number."""
    return "{" + ",".join(["NULL" if number is None else str(number) for number in column]) + "}"


def _take(name: str) -> str:
    if name == "values" and connection.vendor == "postgresql":
        return 'line."values"::jsonb'
    return f"line.{_quote(name)}"


def _quote(name: str) -> str:
    return connection.ops.quote_name(name)


_STORE = """
    INSERT INTO tournaments_tablesection (group_id, number, seats)
    SELECT %(group)s, (line - 1) / %(size)s, seats
      FROM (SELECT line,
                   {gather}(seat_id) OVER (PARTITION BY (line - 1) / %(size)s ORDER BY line
                                           ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS seats
              FROM (SELECT seat_id, row_number() OVER (ORDER BY place, seat_id) AS line
                      FROM tournaments_standing
                     WHERE group_id = %(group)s AND place IS NOT NULL) AS ordered) AS gathered
     WHERE (line - 1) %% %(size)s = 0
        ON CONFLICT (group_id, number) DO UPDATE SET seats = excluded.seats
     WHERE tournaments_tablesection.seats <> excluded.seats
"""
"""A large table is not read: ``sections_of_rows`` says in Python what its sections are."""
_REMOVE = """
    DELETE FROM tournaments_tablesection
     WHERE group_id = %(group)s
       AND number * %(size)s >= (SELECT count(place) FROM tournaments_standing WHERE group_id = %(group)s)
"""


def store_sections(*, group_id: int) -> None:
    """Make the sections of a group's table those of its stored rows. Two queries.

    Only those that differ are written.
    """
    gather = "json_group_array" if connection.vendor == "sqlite" else "jsonb_agg"
    values = {"group": group_id, "size": table_sections.SECTION}
    with connection.cursor() as cursor:
        cursor.execute(_STORE.format(gather=gather), values)
        cursor.execute(_REMOVE, values)
