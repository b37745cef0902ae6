from __future__ import annotations

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models

SECTION = 100


def cut_tables(apps: Any, schema_editor: Any) -> None:
    """Store the order of the tables of ladders in sections of a hundred rows."""
    standings = apps.get_model("tournaments", "Standing").objects.filter(place__isnull=False)
    section = apps.get_model("tournaments", "TableSection")
    groups = apps.get_model("tournaments", "Group").objects.filter(stage__format="points-ladder")
    for group in groups.values_list("pk", flat=True):
        seats = list(standings.filter(group=group).order_by("place", "seat").values_list("seat", flat=True))
        section.objects.bulk_create(
            [
                section(group_id=group, number=start // SECTION, seats=seats[start : start + SECTION])
                for start in range(0, len(seats), SECTION)
            ],
            batch_size=250,
        )


class Migration(migrations.Migration):
    dependencies: ClassVar = [("tournaments", "0037_let_rounds_wait_for_organisers")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="TableSection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("seats", models.JSONField(verbose_name="seats")),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="table_sections",
                        to="tournaments.group",
                    ),
                ),
            ],
            options={
                "verbose_name": "section of a table",
                "verbose_name_plural": "sections of tables",
                "constraints": [
                    models.UniqueConstraint(fields=("group", "number"), name="table_section_numbers_differ")
                ],
            },
        ),
        migrations.RunPython(cut_tables, migrations.RunPython.noop),
    ]
