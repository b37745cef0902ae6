"""What a database is after its migrations."""

from __future__ import annotations

from typing import Any

from django.db import connection

FACTS = ("primary_key", "unique", "check", "index", "foreign_key", "orders", "type")


def describe_schema() -> dict[str, Any]:
    """Return columns and constraints of every table, without the names that Django makes up."""
    found = {}
    with connection.cursor() as cursor:
        read = connection.introspection
        for table in sorted(set(read.table_names(cursor)) - {"django_migrations"}):
            columns = [
                [column.name, str(column.type_code), column.null_ok, str(column.default)]
                for column in read.get_table_description(cursor, table)
            ]
            constraints = [
                [sorted(each["columns"] or []), *(str(each.get(key)) for key in FACTS)]
                for each in read.get_constraints(cursor, table).values()
            ]
            found[table] = {"columns": sorted(columns), "constraints": sorted(constraints, key=str)}
    return found
