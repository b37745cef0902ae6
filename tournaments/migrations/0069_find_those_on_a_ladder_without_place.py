"""Find who is on a ladder without a place, in the order of entry, and who has left one with a place, by an index."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0068_note_who_is_on_a_ladder"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.RemoveIndex(model_name="seat", name="seat_without_place"),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("has_place", False), ("is_on_ladder", True)),
                fields=["group", "entry"],
                name="seat_on_ladder_without_place",
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("has_place", True), ("is_on_ladder", False)),
                fields=["group"],
                name="seat_left_with_place",
            ),
        ),
    ]
