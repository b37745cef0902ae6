"""Migrate an empty database and print what it is then: ``python -m tests.database.describe_schema [migrations]``.

``migrations`` is a directory with a package of migrations for each app, which take the place of the apps' own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.management import call_command

FACTS = ("primary_key", "unique", "check", "index", "foreign_key", "orders", "type")


def describe_schema() -> dict[str, Any]:
    """Return columns and constraints of every table, without the names that Django makes up."""
    from django.db import connection

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


def use_migrations(directory: str) -> None:
    """Let the packages of a directory, ``<app>_before``, take the place of the apps' own migrations."""
    sys.path.insert(0, directory)
    packages = [package.name for package in Path(directory).iterdir()]
    settings.MIGRATION_MODULES = {name.removesuffix("_before"): name for name in packages}


def main() -> None:
    """Migrate, and print the description as JSON."""
    if sys.argv[1:]:
        use_migrations(sys.argv[1])
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    print(json.dumps(describe_schema()))


if __name__ == "__main__":
    main()
