from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("players", "0029_mark_emails_that_bounce"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="mailsettings",
            name="next_daily_at",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="next daily mail"),
        ),
        migrations.AddField(
            model_name="mailsettings",
            name="turns_daily_at",
            field=models.PositiveSmallIntegerField(
                blank=True, null=True, verbose_name="hour of the daily mail of all turns"
            ),
        ),
        migrations.AddIndex(
            model_name="mailsettings",
            index=models.Index(
                condition=models.Q(("next_daily_at__isnull", False)),
                fields=["next_daily_at"],
                name="mail_settings_next_daily",
            ),
        ),
    ]
