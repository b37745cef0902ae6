"""In the log two of the acts that take something back ended in another word than the others."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

NAMES = {"start-taken-back": "start-undone", "bye-taken-back": "bye-undone"}


def rename(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give the lines the names that their acts have now."""
    for before, after in NAMES.items():
        apps.get_model("tournaments", "LogEntry").objects.filter(action=before).update(action=after)


def rename_back(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give the lines the names that their acts had."""
    for before, after in NAMES.items():
        apps.get_model("tournaments", "LogEntry").objects.filter(action=after).update(action=before)


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("tournaments", "0029_keep_versions_of_options_and_what_changed")]

    operations: ClassVar[list[Any]] = [migrations.RunPython(rename, rename_back, elidable=True)]
