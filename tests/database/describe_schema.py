"""The schema of a database after its migrations, as text."""

from __future__ import annotations

import re
from typing import Any

from django.db import connection

MADE_UP = re.compile(r"_[0-9a-f]{8}(_\w+)?\b|_(pkey|key|check\d*)\b")
"""The end of a name that Django or the database has given: it follows from what columns were once called."""

OF_POSTGRESQL = """
    SELECT concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity, collname,
        pg_get_expr(adbin, adrelid), col_description(attrelid, attnum))
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    LEFT JOIN pg_collation ON pg_collation.oid = attcollation
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    UNION ALL
    SELECT concat_ws(' ', relname, conname, pg_get_constraintdef(pg_constraint.oid), obj_description(pg_constraint.oid))
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE relnamespace = 'public'::regnamespace AND contype != 'n'
    UNION ALL
    SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL
    SELECT concat_ws(' ', relname, relkind, relpersistence, reloptions, obj_description(oid))
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('i', 'S')
    UNION ALL
    SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT extname FROM pg_extension
"""
FACTS = ("primary_key", "unique", "check", "index", "foreign_key", "orders", "type")


def describe_schema() -> dict[str, Any]:
    """Return columns and constraints of every table, without the names that Django makes up."""
    tables = set(connection.introspection.table_names()) - {"django_migrations"}
    return {table: describe_table(table) for table in sorted(tables)}


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


def describe_definitions() -> list[str]:
    """Return what the database says of all that it has, with expressions, conditions and options.

    The order of columns is left out, and so are names that are made up, as they say what columns were once called.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(OF_POSTGRESQL)
            return sorted(_without_made_up_names(line) for (line,) in cursor.fetchall())
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        return sorted(part for name, sql in cursor.fetchall() for part in _parts(name, sql))


def _without_made_up_names(line: str) -> str:
    return " ".join(word for word in line.split(" ") if not MADE_UP.search(word))


def _parts(name: str, sql: str) -> list[str]:
    """Return the columns and constraints of a table of SQLite with its name; of anything else its own line."""
    text = re.sub(r"\s*([(),])\s*", r"\1", " ".join(sql.split()))
    if not text.startswith("CREATE TABLE"):
        return [_without_made_up_names(text)]
    inner, _, options = text.partition("(")[2].rpartition(")")
    parts, depth = [""], 0
    for letter in inner:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [f"{name}: {part}" for part in (*parts, options)]
