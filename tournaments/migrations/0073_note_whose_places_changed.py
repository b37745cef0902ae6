"""Note of each change of a place in which competition it was, some thousand at a time."""

from typing import Any, ClassVar

from django.db import migrations
from django.db.models import OuterRef, Subquery

BATCH = 5000


def note_competitions(apps: Any, schema_editor: Any) -> None:
    """Note it of all changes. Each batch is stored by itself: another run does the rest."""
    alias = schema_editor.connection.alias
    changes = apps.get_model("tournaments", "PlaceChange").objects.using(alias)
    seats = apps.get_model("tournaments", "Seat").objects.using(alias)
    own = Subquery(seats.filter(pk=OuterRef("seat")).values("stage__competition"))
    last = 0
    while keys := list(changes.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        changes.filter(pk__gt=last, pk__lte=keys[-1], competition=None).update(competition=own)
        last = keys[-1]


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0072_know_whose_places_changed"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.RunPython(note_competitions, migrations.RunPython.noop, elidable=True),
    ]
