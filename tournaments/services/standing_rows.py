"""The stored rows of a table, many at once: objects of the ORM would cost more than all the rest."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection

from tournaments.selectors.standings import Line

_PLACED = Line._fields[:3]
_COUNTED = Line._fields[3:]
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


def move_lines(*, lines: Collection[Line]) -> None:
    """Store place and deciding tiebreak of rows that exist, and the place before where it has changed."""
    if lines:
        source, rows = _as_table(_PLACED, [line[: len(_PLACED)] for line in lines])
        with connection.cursor() as cursor:
            cursor.execute(_MOVE.format(lines=source), rows)


def count_lines(*, group_id: int, lines: Collection[Line]) -> None:
    """Store what the results of entrants add up to; a row that is new is stored as a whole."""
    if not lines:
        return
    source, rows = _as_table(Line._fields, [(*line[:3], json.dumps(line.values or {}), *line[4:]) for line in lines])
    statement = _COUNT.format(
        names=", ".join(map(_quote, Line._fields)),
        values=", ".join(map(_take, Line._fields)),
        lines=source,
        updates=", ".join(f"{_quote(name)} = excluded.{_quote(name)}" for name in _COUNTED),
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [group_id, *rows])


def _as_table(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[str, list[Any]]:
    """Return the rows as a table ``line`` with these columns that a statement can read from, and its parameters."""
    if connection.vendor == "postgresql":
        arrays = ", ".join(f"%s::{_TYPES.get(name, 'integer')}[]" for name in names)
        columns = zip(names, zip(*rows, strict=True), strict=True)
        parameters = [list(column) if name in _TEXTS else _write_integers(column) for name, column in columns]
        return f"unnest({arrays}) AS line ({', '.join(map(_quote, names))})", parameters
    fields = ", ".join(f"value ->> {number} AS {_quote(name)}" for number, name in enumerate(names))
    return f"(SELECT {fields} FROM json_each(%s)) AS line", [json.dumps(rows)]  # noqa: S608


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
