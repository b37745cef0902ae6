from typing import Any, ClassVar

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

ALLOWANCE: Any = models.SmallIntegerField(db_default=0, default=0, verbose_name="time allowed for its way")


def add_column(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Add the column to the table as it lies: on SQLite Django would make another one, in another order."""
    schema_editor.execute('ALTER TABLE "matches_move" ADD COLUMN "allowance" smallint DEFAULT 0 NOT NULL')


def remove_column(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Remove the column."""
    schema_editor.execute('ALTER TABLE "matches_move" DROP COLUMN "allowance"')


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("matches", "0034_play_one_match_by_hand"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(add_column, remove_column)],
            state_operations=[migrations.AddField(model_name="move", name="allowance", field=ALLOWANCE)],
        ),
        migrations.AddField(model_name="takenbackmove", name="allowance", field=ALLOWANCE),
        migrations.AddField(
            model_name="match",
            name="allowed_yellow",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, verbose_name="time allowed for Yellow’s ways"
            ),
        ),
        migrations.AddField(
            model_name="match",
            name="allowed_red",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, verbose_name="time allowed for Red’s ways"),
        ),
    ]
