from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("players", "0026_hold_names_of_deleted_accounts"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="player",
            name="goes_on",
            field=models.BooleanField(db_default=False, default=False, verbose_name="go on to my next match by itself"),
        ),
        migrations.AddField(
            model_name="player",
            name="single_keys",
            field=models.BooleanField(db_default=True, default=True, verbose_name="single keys as shortcuts"),
        ),
    ]
