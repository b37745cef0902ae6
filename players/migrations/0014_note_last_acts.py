from typing import Any

from django.db import migrations, models
from django.utils import timezone


def begin_now(apps: Any, schema_editor: Any) -> None:
    """Let everybody have acted now: nobody knows when they did, and nobody is inactive for that."""
    apps.get_model("players", "Player").objects.filter(is_active=True).update(acted_at=timezone.now())


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0013_call_competitions_so"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="acted_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="last active"),
        ),
        migrations.RunPython(begin_now, migrations.RunPython.noop, elidable=True),
    ]
