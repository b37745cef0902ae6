from typing import Any

from django.conf import settings
from django.db import migrations, models
from django.db.models import F


def note_what_is_known(apps: Any, schema_editor: Any) -> None:
    """Take what has been decided and has ended for known; nobody gets a mail about it afterwards."""
    ties = apps.get_model("tournaments", "Tie").objects.filter(decided_at__isnull=False)
    ties.update(notified_of=F("decided_at"))
    groups = apps.get_model("tournaments", "Group").objects.filter(ended_at__isnull=False)
    groups.update(notified_of=F("ended_at"))


def name_lines_of_mails(apps: Any, schema_editor: Any) -> None:
    """Let the mails that wait name all lines of logs, and all matches, that they are about."""
    deliveries = apps.get_model("players", "Delivery").objects.filter(kind="competition", state="pending")
    for delivery in deliveries.iterator(chunk_size=500):
        about = delivery.about
        entry = [about["entry"]] if "entry" in about else []
        delivery.about = {"lines": entry, "fixtures": about.get("fixtures", [])}
        delivery.save(update_fields=["about"])


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0026_note_who_made_competitions"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("players", "0015_let_organisers_choose_their_mail"),
    ]

    operations = [
        migrations.AddField(
            model_name="group",
            name="notified_of",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="logentry",
            name="concerns",
            field=models.ManyToManyField(
                blank=True, editable=False, related_name="+", to=settings.AUTH_USER_MODEL, verbose_name="concerns"
            ),
        ),
        migrations.AddField(
            model_name="round",
            name="overdue_of",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="round",
            name="reminded_of",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="tie",
            name="notified_of",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(note_what_is_known, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(name_lines_of_mails, migrations.RunPython.noop, elidable=True),
    ]
