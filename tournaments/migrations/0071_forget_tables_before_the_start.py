"""Remove what ``recompute`` once stored of tables before the start: no competition has a table before it."""

from typing import Any, ClassVar

from django.db import migrations

NOT_STARTED = ["draft", "open", "closed"]


def forget_tables(apps: Any, schema_editor: Any) -> None:
    """Remove the rows and sections of competitions that have not started, and note that nobody there has a place."""
    alias = schema_editor.connection.alias
    competitions = apps.get_model("tournaments", "Competition").objects.using(alias)
    waiting = competitions.filter(started_at=None, status__in=NOT_STARTED)
    for name in ("Standing", "TableSection"):
        apps.get_model("tournaments", name).objects.using(alias).filter(group__stage__competition__in=waiting).delete()
    seats = apps.get_model("tournaments", "Seat").objects.using(alias)
    seats.filter(stage__competition__in=waiting, has_place=True).update(has_place=False)


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0070_find_seasons_that_go_on"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.RunPython(forget_tables, migrations.RunPython.noop, elidable=True),
    ]
