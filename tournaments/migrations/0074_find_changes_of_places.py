"""Find the latest changes of places in a competition among those of all, by an index."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0073_note_whose_places_changed"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AlterField(
            model_name="placechange",
            name="competition",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                on_delete=models.deletion.CASCADE,
                related_name="+",
                to="tournaments.competition",
            ),
        ),
        migrations.AddIndex(
            model_name="placechange",
            index=models.Index(fields=["competition", "-id"], name="place_change_by_competition"),
        ),
    ]
