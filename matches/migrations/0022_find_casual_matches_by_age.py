"""Find matches of guests by their age."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [("matches", "0021_keep_seeds_in_hexadecimal")]

    operations: ClassVar[list[Any]] = [
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("competition", None), ("is_rated", False)),
                fields=["created_at"],
                name="match_casual",
            ),
        ),
    ]
