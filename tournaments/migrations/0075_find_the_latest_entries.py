"""Find the latest entries of a competition among those of all, by an index in whose place the one by itself goes."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0074_find_changes_of_places"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["competition", "id"], name="entry_of_competition"),
        ),
        migrations.AlterField(
            model_name="entry",
            name="competition",
            field=models.ForeignKey(
                db_index=False,
                on_delete=models.deletion.CASCADE,
                related_name="entries",
                to="tournaments.competition",
            ),
        ),
    ]
