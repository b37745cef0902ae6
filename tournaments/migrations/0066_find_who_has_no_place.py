"""Find who has no place in the table of a ladder by an index."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0065_know_who_has_no_place"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(condition=models.Q(("has_place", False)), fields=["group"], name="seat_without_place"),
        ),
    ]
