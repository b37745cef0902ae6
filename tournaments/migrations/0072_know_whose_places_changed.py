"""Let a change of a place say in which competition it was, so that nobody asks its seat."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0071_forget_tables_before_the_start"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="placechange",
            name="competition",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                null=True,
                on_delete=models.deletion.CASCADE,
                related_name="+",
                to="tournaments.competition",
            ),
        ),
    ]
