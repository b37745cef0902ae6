"""Know who has no place in the table of a ladder, so that its last page looks at nobody else."""

from typing import Any, ClassVar

from django.db import migrations, models


def note_places(apps: Any, schema_editor: Any) -> None:
    """Note of everybody on a points ladder to whom the stored table gives a place that it does."""
    seats = apps.get_model("tournaments", "Seat").objects.using(schema_editor.connection.alias)
    seats.filter(stage__format="points-ladder", standing__place__isnull=False).update(has_place=True)


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0064_remember_windows_of_tables"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="seat",
            name="has_place",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.RunPython(note_places, migrations.RunPython.noop, elidable=True),
    ]
