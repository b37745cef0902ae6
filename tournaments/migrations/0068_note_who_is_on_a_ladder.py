"""Note of the seats of those who are on a ladder that they are, some thousand at a time."""

from typing import Any, ClassVar

from django.db import migrations

BATCH = 5000


def note_who_is_on_a_ladder(apps: Any, schema_editor: Any) -> None:
    """Note it of all who play or finish their games. Each batch is stored by itself: another run does the rest."""
    seats = apps.get_model("tournaments", "Seat").objects.using(schema_editor.connection.alias)
    ladders = ["points-ladder", "challenge-ladder"]
    own = seats.filter(stage__format__in=ladders, entry__status__in=["active", "on-hold"])
    last = 0
    while keys := list(own.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        seats.filter(pk__in=keys, is_on_ladder=False).update(is_on_ladder=True)
        last = keys[-1]


class Migration(migrations.Migration):
    atomic = False

    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0067_know_who_is_on_a_ladder"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.RunPython(note_who_is_on_a_ladder, migrations.RunPython.noop, elidable=True),
    ]
