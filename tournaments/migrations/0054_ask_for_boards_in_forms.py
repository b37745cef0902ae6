import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0053_let_no_team_check_in"),
    ]

    operations = [
        migrations.AlterField(
            model_name="competition",
            name="boards",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="Teams with so many boards join. Empty: single players do.",
                null=True,
                validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(6)],
                verbose_name="boards of a team",
            ),
        ),
    ]
