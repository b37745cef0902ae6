from typing import Any

from django.db import migrations, models
from django.db.models import F, OuterRef, Q, Subquery


def note_acts(apps: Any, schema_editor: Any) -> None:
    """Note that entrants who do not wait have acted after the last match that was counted as lost on time."""
    entries, fixtures = (apps.get_model("tournaments", name).objects for name in ("Entry", "Fixture"))
    lost = fixtures.filter(
        Q(yellow=OuterRef("pk"), points_yellow__lt=F("points_red"))
        | Q(red=OuterRef("pk"), points_red__lt=F("points_yellow")),
        ending="timeout",
    )
    latest = Subquery(lost.order_by("-finished_at").values("finished_at")[:1])
    entries.filter(waits_since=None, event__ladder__isnull=False).update(acted_at=latest)


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0010_keep_headers_of_answers"),
        ("tournaments", "0011_date_lines_of_logs"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="acted_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="acted again"),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=Q(("ending", "timeout"), ("is_annulled", False)),
                fields=["event", "finished_at"],
                name="fixture_lost_on_time",
            ),
        ),
        migrations.RunPython(note_acts, migrations.RunPython.noop, elidable=True),
    ]
