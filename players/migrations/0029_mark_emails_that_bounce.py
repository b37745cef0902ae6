from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("players", "0028_know_time_zones"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="player",
            name="email_bounced_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="mails came back"),
        ),
    ]
