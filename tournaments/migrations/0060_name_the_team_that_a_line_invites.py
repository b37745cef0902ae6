"""Name in a line of a log the team that it invites, by its number."""

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0059_find_pages_of_matches"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="logentry",
            name="team",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tournaments.team",
            ),
        ),
    ]
