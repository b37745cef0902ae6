"""Find the seasons of a series that have not ended by an index."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0069_find_those_on_a_ladder_without_place"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddIndex(
            model_name="competition",
            index=models.Index(
                condition=models.Q(("status__in", ("draft", "open", "closed", "running"))),
                fields=["series", "season"],
                name="competition_not_ended",
            ),
        ),
    ]
