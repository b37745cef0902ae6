"""List finished matches without reading those that go on."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [("matches", "0032_play_by_itself")]

    operations: ClassVar[list[Any]] = [
        migrations.AddIndex(
            model_name="match",
            index=models.Index(condition=models.Q(("status", "finished")), fields=["id"], name="match_over"),
        ),
    ]
