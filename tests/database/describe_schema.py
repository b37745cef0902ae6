"""The schema of a table after the migrations."""

from __future__ import annotations

from typing import Any

from django.db import connection

FACTS = ("primary_key", "unique", "check", "index", "foreign_key", "orders", "type")


def describe_table(table: str) -> dict[str, list[Any]]:
    """Return columns and constraints of a table, without the names that Django makes up."""
    read = connection.introspection
    with connection.cursor() as cursor:
        columns = [
            [column.name, str(column.type_code), column.null_ok, str(column.default)]
            for column in read.get_table_description(cursor, table)
        ]
        constraints = [
            [sorted(each["columns"] or []), *(str(each.get(key)) for key in FACTS)]
            for each in read.get_constraints(cursor, table).values()
        ]
    return {"columns": sorted(columns), "constraints": sorted(constraints, key=str)}
