"""Note how many games are known to run, so that the pairing of a ladder looks only at those who may lack some."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0062_find_competitions_of_a_kind"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="entry",
            name="known_games",
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                condition=models.Q(("status", "active"), ("waits_since__isnull", True)),
                fields=["competition", "known_games"],
                name="entry_by_known_games",
            ),
        ),
    ]
