from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("players", "0025_find_players_by_a_part"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.CreateModel(
            name="HeldName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True, verbose_name="digest")),
                ("held_until", models.DateTimeField(db_index=True, verbose_name="until")),
            ],
            options={
                "verbose_name": "held name",
                "verbose_name_plural": "held names",
                "ordering": ["pk"],
            },
        ),
    ]
