from typing import Any

from django.db import migrations, models
from django.db.models import F, Q


def note_results(apps: Any, schema_editor: Any) -> None:
    """Note which results were counted before the table that is there: their history stays as it is."""
    results = apps.get_model("tournaments", "Fixture").objects.filter(counted_at__isnull=False)
    is_made = Q(event__standings_wanted_at=None) | Q(counted_at__lt=F("event__standings_wanted_at"))
    results.filter(pk__in=results.filter(is_made).values("pk")).update(is_in_history=True)


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0011_share_the_engines_fairly"),
        ("tournaments", "0012_note_acts_after_losses"),
    ]

    operations = [
        migrations.AddField(
            model_name="fixture",
            name="is_in_history",
            field=models.BooleanField(default=False, editable=False, verbose_name="in the history of places"),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("counted_at__isnull", False), ("is_annulled", False), ("is_in_history", False)),
                fields=["event"],
                name="fixture_without_history",
            ),
        ),
        migrations.RunPython(note_results, migrations.RunPython.noop, elidable=True),
    ]
