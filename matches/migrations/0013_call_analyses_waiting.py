from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import StateApps


def rename_status(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give analyses that nobody has begun their new status."""
    analyses = apps.get_model("matches", "MatchAnalysis").objects.using(schema_editor.connection.alias)
    analyses.filter(status="wanted").update(status="waiting")


def rename_status_back(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give analyses that nobody has begun their old status."""
    analyses = apps.get_model("matches", "MatchAnalysis").objects.using(schema_editor.connection.alias)
    analyses.filter(status="waiting").update(status="wanted")


class Migration(migrations.Migration):
    """An analysis that nobody has begun is waiting."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("matches", "0012_rename_to_plain_words")]

    operations: ClassVar[list[Operation]] = [
        migrations.RemoveIndex(model_name="matchanalysis", name="analysis_unfinished"),
        migrations.RemoveConstraint(model_name="matchanalysis", name="analysis_is_finished_or_not"),
        migrations.RunPython(rename_status, rename_status_back),
        migrations.AlterField(
            model_name="matchanalysis",
            name="requested_at",
            field=models.DateTimeField(verbose_name="requested"),
        ),
        migrations.AlterField(
            model_name="matchanalysis",
            name="status",
            field=models.CharField(
                choices=[("waiting", "waiting"), ("running", "running"), ("done", "done"), ("failed", "failed")],
                default="waiting",
                max_length=7,
                verbose_name="status",
            ),
        ),
        migrations.AddIndex(
            model_name="matchanalysis",
            index=models.Index(
                condition=models.Q(("status__in", ["waiting", "running"])),
                fields=["requested_at", "id"],
                name="analysis_unfinished",
            ),
        ),
        migrations.AddConstraint(
            model_name="matchanalysis",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status__in", ["waiting", "running"]), ("finished_at", None)),
                    models.Q(("finished_at__isnull", False), ("status__in", ["done", "failed"])),
                    _connector="OR",
                ),
                name="analysis_is_finished_or_not",
            ),
        ),
    ]
