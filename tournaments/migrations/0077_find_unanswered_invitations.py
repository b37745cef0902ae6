"""Find the invitations to a competition that wait for an answer without those that were answered."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0076_find_the_latest_matches_that_count"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddIndex(
            model_name="entryinvitation",
            index=models.Index(
                condition=models.Q(("asked_at__isnull", False), ("status", "waiting")),
                fields=["competition"],
                name="invitation_unanswered",
            ),
        ),
    ]
