from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery


def date_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let each group have begun with its competition, and ended with it: until now a competition had one."""
    group, competition = (apps.get_model("tournaments", name) for name in ("Group", "Competition"))
    own = competition.objects.filter(stages=OuterRef("stage"))
    group.objects.filter(stage__competition__started_at__isnull=False).update(
        started_at=Subquery(own.values("started_at")[:1]), ended_at=Subquery(own.values("finished_at")[:1])
    )


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0021_keep_byes_and_pair_rounds_later")]

    operations = [
        migrations.AddField(
            model_name="stage",
            name="grouping",
            field=models.JSONField(blank=True, null=True, verbose_name="groups"),
        ),
        migrations.AddField(
            model_name="stage",
            name="advance",
            field=models.JSONField(blank=True, null=True, verbose_name="who goes on"),
        ),
        migrations.AddField(
            model_name="group",
            name="started_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="started"),
        ),
        migrations.AddField(
            model_name="group",
            name="ended_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="ended"),
        ),
        migrations.RunPython(date_groups, migrations.RunPython.noop, elidable=True),
    ]
