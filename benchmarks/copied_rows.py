"""Store rows by copying one in the database, as many as a benchmark needs."""

from typing import Any

from django.db import connection, transaction
from django.db.models import Model


def copy(row: Model, source: int | str, *, identity: str = "id", **columns: Any) -> None:
    """Store a row like this one for each of the source: for a number of them, or for the rows of a query.

    ``columns`` are the expressions that differ; they see the source's columns, or ``nth``, which counts from 1.
    """
    options = row._meta  # noqa: SLF001 - what Django documents
    table, numbers = options.db_table, row.pk if isinstance(row.pk, tuple) else (row.pk,)
    primary = [f"same.{field.column} = {number}" for field, number in zip(options.pk_fields, numbers, strict=True)]
    if isinstance(source, int):
        source = f"generate_series(1, {source}) AS nth WHERE true"
    names = [
        field.column
        for field in options.concrete_fields
        if field.column in columns or not (field.primary_key and field.column == identity)
    ]
    chosen = [str(columns.get(name, f"same.{name}")) for name in names]
    joined = source.replace(" WHERE ", f" CROSS JOIN {table} AS same WHERE {' AND '.join(primary)} AND ", 1)
    with transaction.atomic():
        # To look for each row that a new one names takes most of the time; a superuser can leave that out.
        query(
            "SELECT set_config('session_replication_role', 'replica', true)"
            " WHERE current_setting('is_superuser')::boolean"
        )
        query(f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(chosen)} FROM {joined}")  # noqa: S608 - our own words


def count_on(*models: type[Model]) -> None:
    """Let the ids of further rows follow those that were given."""
    for model in models:
        table = model._meta.db_table  # noqa: SLF001 - what Django documents
        query(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))")  # noqa: S608 - our own words


def query(sql: str) -> None:
    """Run one statement."""
    with connection.cursor() as cursor:
        cursor.execute(sql)
