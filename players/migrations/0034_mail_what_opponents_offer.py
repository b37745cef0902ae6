from typing import Any, ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("players", "0033_count_changes_of_names"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="mailsettings",
            name="opponents",
            field=models.BooleanField(
                db_default=True, default=True, verbose_name="when an opponent offers me something or joins by my link"
            ),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "your turn"),
                    ("deadline", "deadline near"),
                    ("end", "match over"),
                    ("opponent", "offer of an opponent, or game joined by a link"),
                    ("competition", "news of a competition"),
                    ("organising", "news of a competition that the player organises"),
                    ("team", "invitation to a team"),
                    ("confirmation", "confirmation of an e-mail address"),
                    ("reset", "password reset"),
                    ("new-address", "e-mail address changed, sent to the old one"),
                    ("password", "password changed"),
                    ("known", "e-mail address entered for another account"),
                ],
                max_length=12,
                verbose_name="kind",
            ),
        ),
    ]
