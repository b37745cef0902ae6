"""Say of each group since when its history of places is whole.

The first versions kept the places of those only whose table was made after each of their results.
"""

from typing import Any

from django.db import migrations, models
from django.db.models import Exists, Max, OuterRef, Q

WITHOUT_PLACES_OF_RESULTS = ("knock-out", "double-elimination", "challenge-ladder")
"""The formats of which no history is derived from results: a bracket keeps none, a challenge ladder every move."""


def note_beginnings(apps: Any, _schema_editor: Any) -> None:
    """Store for each group the end of the last result without the places of both players."""
    fixtures = apps.get_model("tournaments", "Fixture").objects
    changes = apps.get_model("tournaments", "PlaceChange").objects
    groups = apps.get_model("tournaments", "Group").objects
    kept = changes.filter(
        Q(match=OuterRef("match")) | Q(match=None), seat__group=OuterRef("group"), changed_at=OuterRef("finished_at")
    )
    both = [Exists(kept.filter(seat__entry=OuterRef(side))) for side in ("yellow", "red")]
    holes = (
        fixtures.filter(counted_at__isnull=False, is_annulled=False, is_in_history=True)
        .exclude(group__stage__format__in=WITHOUT_PLACES_OF_RESULTS)
        .exclude(*both)
        .order_by()
        .values("group")
        .annotate(last=Max("finished_at"))
        .values_list("group", "last")
    )
    for group, last in holes:
        groups.filter(pk=group).update(places_known_since=last)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0105_keep_places_of_those_asked_again")]

    operations = [
        migrations.AddField(
            model_name="group",
            name="places_known_since",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(note_beginnings, migrations.RunPython.noop),
    ]
