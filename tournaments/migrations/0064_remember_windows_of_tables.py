"""Remember since when results count in the stored table of a group."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0063_know_who_has_enough_games"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="group",
            name="window_since",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
    ]
