from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0014_note_last_acts"),
    ]

    operations = [
        migrations.AddField(
            model_name="mailsettings",
            name="organising",
            field=models.BooleanField(default=True, verbose_name="news of the competitions that I organise"),
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
                    ("organising", "news of a competition that one organises"),
                    ("confirmation", "confirmation of an e-mail address"),
                    ("reset", "password reset"),
                    ("new-address", "e-mail address changed, sent to the old one"),
                    ("known", "e-mail address entered for another account"),
                ],
                max_length=12,
                verbose_name="kind",
            ),
        ),
    ]
