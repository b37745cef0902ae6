"""Inserts of many rows that have most of their values in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import Model


def insert_rows(rows: Sequence[Model]) -> None:
    """Insert rows of one model, at least one, that have their ids.

    On PostgreSQL a value that all rows have stands in the statement once, and the others in an array for each column.
    ``bulk_create`` prepares and writes out each value of each row, which takes the worker two and a half times as long
    for fifty matches.
    """
    if connection.vendor == "postgresql":
        _insert_at_once(rows)
    else:
        model: Any = type(rows[0])
        model.objects.bulk_create(rows)


def _insert_at_once(rows: Sequence[Any]) -> None:
    known = rows[0]._meta  # noqa: SLF001 - what Django documents
    quote = connection.ops.quote_name
    columns: dict[str, str] = {}
    shared: list[Any] = []
    arrays: dict[str, list[Any]] = {}
    unnested: list[str] = []
    for field in known.concrete_fields:
        values = [field.pre_save(row, add=True) for row in rows]
        if field.has_db_default() and all(hasattr(value, "as_sql") for value in values):
            continue
        name = quote(field.column)
        # Without its length: a cast to it would cut a text that is too long, which is to be refused.
        kind = field.db_type(connection).split("(")[0]
        if all(value == values[0] for value in values):
            columns[name] = f"%s::{kind}"
            shared.append(field.get_db_prep_save(values[0], connection))
        else:
            columns[name] = f"each_row.{name}"
            unnested.append(f"%s::{kind}[]")
            arrays[name] = [field.get_db_prep_save(value, connection) for value in values]
    source = f"FROM unnest({', '.join(unnested)}) AS each_row ({', '.join(arrays)})" if arrays else ""
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {quote(known.db_table)} ({', '.join(columns)}) SELECT {', '.join(columns.values())} {source}",
            [*shared, *arrays.values()],
        )
    for row in rows:
        row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001 - as Django does
