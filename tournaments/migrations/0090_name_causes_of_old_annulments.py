from typing import Any

from django.db import migrations
from django.utils import timezone


def name_causes(apps: Any, schema_editor: Any) -> None:
    """Let what was annulled before causes were kept name a line of the log that says so: one for each competition."""
    entries = apps.get_model("tournaments", "LogEntry").objects
    annulled = apps.get_model("tournaments", "Fixture").objects.filter(is_annulled=True, cause=None)
    now = timezone.now()
    competitions = sorted(set(annulled.order_by().values_list("competition", flat=True)))
    for competition in competitions:
        line = entries.create(competition_id=competition, action="annulled-before", logged_at=now, is_notified=True)
        annulled.filter(competition=competition).update(cause=line)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0089_list_who_moved_up"),
    ]

    operations = [
        migrations.RunPython(name_causes, migrations.RunPython.noop),
    ]
