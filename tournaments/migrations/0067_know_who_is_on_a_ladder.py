"""Let a seat say whether its entrant is on the ladder, so that a page of the table need not ask the entries."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0066_find_who_has_no_place"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="seat",
            name="is_on_ladder",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
    ]
