from typing import Any, ClassVar

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

BY_ITSELF: Any = models.BooleanField(db_default=False, default=False, verbose_name="played by itself")


def add_column(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add the column to the table as it lies: on SQLite Django would make another one, in another order."""
    no = "0" if schema_editor.connection.vendor == "sqlite" else "false"
    schema_editor.execute(f'ALTER TABLE "matches_move" ADD COLUMN "by_itself" bool DEFAULT {no} NOT NULL')


def remove_column(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Remove the column."""
    schema_editor.execute('ALTER TABLE "matches_move" DROP COLUMN "by_itself"')


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("matches", "0031_answer_beforehand"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add_column, remove_column)],
            state_operations=[migrations.AddField(model_name="move", name="by_itself", field=BY_ITSELF)],
        ),
        migrations.AddField(model_name="takenbackmove", name="by_itself", field=BY_ITSELF),
    ]
