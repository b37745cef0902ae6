from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("players", "0031_note_pushes"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="player",
            name="by_itself",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="play by itself what leaves no choice"
            ),
        ),
    ]
