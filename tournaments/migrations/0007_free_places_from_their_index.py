from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

FILLED = 50
"""The share of a page of standings that PostgreSQL fills, in percent: a row that moves finds room beside itself."""


def leave_room(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let rows be rewritten where they are."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(f"ALTER TABLE tournaments_standing SET (fillfactor = {FILLED})")


def pack(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Pack the rows as PostgreSQL does by itself."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("ALTER TABLE tournaments_standing RESET (fillfactor)")


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("tournaments", "0006_tell_players")]

    operations: ClassVar[list[Any]] = [
        migrations.RemoveIndex(model_name="standing", name="standing_by_place"),
        migrations.RunPython(leave_room, pack, elidable=False),
    ]
