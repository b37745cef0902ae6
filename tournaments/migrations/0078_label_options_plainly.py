"""Label options of competitions, stages, series and teams in plainer English."""

from typing import Any, ClassVar

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0001_squashed_0077_find_unanswered_invitations"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AlterField(
            model_name="competition",
            name="boards",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="The number of boards of each team. Leave it empty if single players join.",
                null=True,
                validators=[django.core.validators.MinValueValidator(2), django.core.validators.MaxValueValidator(6)],
                verbose_name="boards of a team",
            ),
        ),
        migrations.AlterField(
            model_name="competition",
            name="check_in_minutes",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="For how many minutes before the start players can check in. Players who have not checked in by the start do not play. Leave it empty for no check-in.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(10080),
                ],
                verbose_name="minutes of check-in before the start",
            ),
        ),
        migrations.AlterField(
            model_name="competition",
            name="vacation_limit",
            field=models.PositiveSmallIntegerField(
                blank=True,
                help_text="How many days each player can use in this competition. 0 means none. Leave it empty for no limit.",
                null=True,
                verbose_name="maximum days of vacation",
            ),
        ),
        migrations.AlterField(
            model_name="entry",
            name="inactive_since",
            field=models.DateTimeField(blank=True, editable=False, null=True, verbose_name="inactive since"),
        ),
        migrations.AlterField(
            model_name="series",
            name="carry_over",
            field=models.CharField(default="nobody", max_length=40, verbose_name="players of the previous season"),
        ),
        migrations.AlterField(
            model_name="series",
            name="overlap",
            field=models.BooleanField(
                default=False,
                help_text="A season starts on its date even if earlier ones are still running.",
                verbose_name="seasons overlap",
            ),
        ),
        migrations.AlterField(
            model_name="series",
            name="year_final",
            field=models.BooleanField(
                default=False,
                help_text="The winners of a year's seasons meet in a final, where they all play each other twice.",
                verbose_name="final of the year",
            ),
        ),
        migrations.AlterField(
            model_name="stage",
            name="seeding",
            field=models.CharField(
                choices=[
                    ("rating", "by rating"),
                    ("draw", "by draw"),
                    ("hand", "by hand"),
                    ("season", "by the previous seasons, then by rating"),
                ],
                default="rating",
                max_length=6,
                verbose_name="seeds",
            ),
        ),
        migrations.AlterField(
            model_name="team",
            name="created_at",
            field=models.DateTimeField(verbose_name="created"),
        ),
    ]
