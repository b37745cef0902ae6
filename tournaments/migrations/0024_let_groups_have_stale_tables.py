from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Q, Subquery


def move_marks(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let the groups of a competition have its mark, and its count of changes."""
    group, competition = (apps.get_model("tournaments", name) for name in ("Group", "Competition"))
    own = competition.objects.filter(stages=OuterRef("stage"))
    group.objects.update(
        standings_stale_since=Subquery(own.values("standings_stale_since")[:1]),
        results_version=Subquery(own.values("results_version")[:1]),
    )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0023_keep_requests_for_byes")]

    operations = [
        migrations.AddField(
            model_name="group",
            name="standings_stale_since",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="group",
            name="results_version",
            field=models.PositiveBigIntegerField(default=0, editable=False),
        ),
        migrations.AddIndex(
            model_name="group",
            index=models.Index(
                condition=Q(("standings_stale_since__isnull", False)),
                fields=["standings_stale_since"],
                name="group_standings_stale",
            ),
        ),
        migrations.RunPython(move_marks, migrations.RunPython.noop, elidable=True),
        migrations.RemoveIndex(model_name="competition", name="competition_standings_stale"),
        migrations.RemoveField(model_name="competition", name="standings_stale_since"),
        migrations.RemoveField(model_name="competition", name="results_version"),
    ]
