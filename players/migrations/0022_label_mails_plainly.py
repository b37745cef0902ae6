"""Label mails, and switches for them, in plainer English."""

from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("players", "0001_squashed_0021_find_closed_accounts"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AlterModelOptions(
            name="delivery",
            options={"verbose_name": "e-mail", "verbose_name_plural": "e-mails"},
        ),
        migrations.AlterField(
            model_name="delivery",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "your turn"),
                    ("deadline", "deadline near"),
                    ("end", "match over"),
                    ("competition", "news of a competition"),
                    ("organising", "news of a competition that the player organises"),
                    ("team", "invitation to a team"),
                    ("confirmation", "confirmation of an e-mail address"),
                    ("reset", "password reset"),
                    ("new-address", "e-mail address changed, sent to the old one"),
                    ("known", "e-mail address entered for another account"),
                ],
                max_length=12,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="state",
            field=models.CharField(
                choices=[
                    ("pending", "to be sent"),
                    ("sent", "sent"),
                    ("dropped", "not sent: no longer wanted or needed"),
                    ("failed", "given up"),
                ],
                default="pending",
                max_length=8,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="mailsettings",
            name="competitions",
            field=models.BooleanField(default=True, verbose_name="with news of the competitions that I play in"),
        ),
        migrations.AlterField(
            model_name="mailsettings",
            name="organising",
            field=models.BooleanField(default=True, verbose_name="with news of the competitions that I organise"),
        ),
    ]
