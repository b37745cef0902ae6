from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0084_ask_who_is_to_run_a_competition"),
    ]

    operations = [
        migrations.AddField(
            model_name="logentry",
            name="interest",
            field=models.CharField(
                blank=True,
                choices=[
                    ("", ""),
                    ("match", "plays in this match"),
                    ("competition", "plays in this competition"),
                ],
                db_default="",
                default="",
                editable=False,
                max_length=11,
                verbose_name="interest",
            ),
        ),
    ]
