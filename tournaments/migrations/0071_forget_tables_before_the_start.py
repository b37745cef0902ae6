"""Remove what ``recompute`` once stored of tables before the start: no competition has a table before it."""

from typing import Any, ClassVar

from django.db import migrations


def forget_tables(apps: Any, schema_editor: Any) -> None:
    """Remove the rows and sections of competitions that have not started, and note that nobody there has a place."""
    alias = schema_editor.connection.alias
    for name in ("Standing", "TableSection"):
        rows = apps.get_model("tournaments", name).objects.using(alias)
        rows.filter(group__stage__competition__started_at=None).delete()
    seats = apps.get_model("tournaments", "Seat").objects.using(alias)
    seats.filter(stage__competition__started_at=None, has_place=True).update(has_place=False)


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0070_find_seasons_that_go_on"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.RunPython(forget_tables, migrations.RunPython.noop, elidable=True),
    ]
