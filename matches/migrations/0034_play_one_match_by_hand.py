from typing import Any, ClassVar

from django.db import migrations, models

NAMES = {"yellow": "Yellow plays all by hand", "red": "Red plays all by hand"}


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("matches", "0033_list_finished_matches"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="match",
            name=f"by_hand_{side}",
            field=models.BooleanField(db_default=False, default=False, verbose_name=name),
        )
        for side, name in NAMES.items()
    ]
