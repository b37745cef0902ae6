from typing import Any

from django.db import migrations
from django.db.models import Exists, OuterRef


def note_cuts(apps: Any, schema_editor: Any) -> None:
    """Let rounds that were ended early have that end; what was left of their days is not known any more."""
    rounds = apps.get_model("tournaments", "Round").objects.filter(cut_short_at__isnull=False, cuts=[])
    for each in rounds.iterator():
        each.cuts = [{"at": each.cut_short_at.isoformat(), "seconds": None, "before": None}]
        each.save(update_fields=["cuts"])


def note_withdrawals(apps: Any, schema_editor: Any) -> None:
    """Let who was withdrawn from a ladder, by the log of that moment, have been taken out at once."""
    lines = apps.get_model("tournaments", "LogEntry").objects.filter(
        competition=OuterRef("competition"),
        action__in=["withdrew", "disqualified"],
        logged_at=OuterRef("left_at"),
        concerns=OuterRef("player"),
    )
    entries = apps.get_model("tournaments", "Entry").objects.filter(status="gone", left_as="")
    entries.filter(Exists(lines)).update(left_as="active")


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0101_keep_what_undoing_restores"),
    ]

    operations = [
        migrations.RunPython(note_cuts, migrations.RunPython.noop),
        migrations.RunPython(note_withdrawals, migrations.RunPython.noop),
    ]
