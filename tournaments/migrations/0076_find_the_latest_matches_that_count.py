"""Find the latest matches of a competition that are not annulled by their index alone, without the matches before."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0075_find_the_latest_entries"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.RemoveIndex(model_name="fixture", name="fixture_of_competition"),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(fields=["competition", "-id", "is_annulled"], name="fixture_of_competition"),
        ),
    ]
