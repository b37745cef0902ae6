from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.core.management.color import no_style
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import StateApps

LAY = """
INSERT INTO tournaments_stage (id, number, competition_id) SELECT id, 1, id FROM tournaments_competition;
INSERT INTO tournaments_group (id, number, stage_id) SELECT id, 1, id FROM tournaments_competition;
INSERT INTO tournaments_seat (id, entry_id, group_id, stage_id)
     SELECT id, id, competition_id, competition_id FROM tournaments_entry;
"""
"""The numbers are those of competitions and entries, so that rows that refer to these can refer to stages, groups and
seats without being written again."""


def count_on(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let new rows be numbered after these."""
    laid = [apps.get_model("tournaments", name) for name in ("Stage", "Group", "Seat")]
    for statement in schema_editor.connection.ops.sequence_reset_sql(no_style(), laid):
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    """Competitions are played in stages, a stage in groups; who has entered has a seat in a group."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("tournaments", "0014_call_competitions_so")]

    operations: ClassVar[list[Operation]] = [
        migrations.RenameField(model_name="ladder", old_name="most_outgoing", new_name="max_outgoing"),
        migrations.RenameField(model_name="ladder", old_name="most_incoming", new_name="max_incoming"),
        migrations.RenameField(model_name="ladder", old_name="least_matches", new_name="min_matches"),
        migrations.CreateModel(
            name="Stage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(default=1, verbose_name="number")),
                (
                    "competition",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stages",
                        to="tournaments.competition",
                    ),
                ),
            ],
            options={"verbose_name": "stage", "verbose_name_plural": "stages"},
        ),
        migrations.CreateModel(
            name="Group",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(default=1, verbose_name="number")),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="groups", to="tournaments.stage"
                    ),
                ),
            ],
            options={"verbose_name": "group", "verbose_name_plural": "groups"},
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="tournaments.entry"
                    ),
                ),
                (
                    "group",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="tournaments.group",
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="tournaments.stage"
                    ),
                ),
            ],
            options={"verbose_name": "seat", "verbose_name_plural": "seats"},
        ),
        migrations.RunSQL(LAY, migrations.RunSQL.noop),
        migrations.RunPython(count_on, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.UniqueConstraint(fields=("competition", "number"), name="stage_numbers_differ"),
        ),
        migrations.AddConstraint(
            model_name="group",
            constraint=models.UniqueConstraint(fields=("stage", "number"), name="group_numbers_differ"),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("group", "entry"), name="seat_one_for_each_entry"),
        ),
    ]
