from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models
from django.db.migrations.operations.base import Operation


class Migration(migrations.Migration):
    """Entries of a match's record are moves, notifications and requests are called so, and ``web`` keeps responses."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("matches", "0011_share_the_engines_fairly")]

    operations: ClassVar[list[Operation]] = [
        # The table stays where it is: ``web`` takes it over.
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="StoredAnswer")]),
        migrations.RemoveIndex(model_name="match", name="match_yellow_to_act"),
        migrations.RemoveIndex(model_name="match", name="match_red_to_act"),
        migrations.RemoveIndex(model_name="match", name="match_turn_untold"),
        migrations.RemoveIndex(model_name="match", name="match_end_untold"),
        migrations.RemoveIndex(model_name="matchanalysis", name="analysis_unfinished"),
        migrations.RenameField(model_name="match", old_name="is_told", new_name="is_notified"),
        migrations.RenameField(model_name="match", old_name="last_event_at", new_name="last_move_at"),
        migrations.RenameField(model_name="matchanalysis", old_name="wanted_at", new_name="requested_at"),
        migrations.RenameField(model_name="matchanalysis", old_name="wanted_by", new_name="requested_by"),
        migrations.AlterField(
            model_name="match",
            name="last_move_at",
            field=models.DateTimeField(verbose_name="last move"),
        ),
        migrations.AlterField(
            model_name="match",
            name="ply",
            field=models.PositiveIntegerField(default=0, verbose_name="moves so far"),
        ),
        migrations.AlterField(
            model_name="matchanalysis",
            name="judged",
            field=models.PositiveIntegerField(default=0, verbose_name="moves judged so far"),
        ),
        migrations.AlterField(
            model_name="matchanalysis",
            name="nodes",
            field=models.PositiveIntegerField(verbose_name="positions looked at for a move"),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "playing"), ("side", "yellow")),
                fields=["yellow", "last_move_at"],
                name="match_yellow_to_act",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "playing"), ("side", "red")),
                fields=["red", "last_move_at"],
                name="match_red_to_act",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "playing"), ("paused_at", None), ("is_notified", False)),
                fields=["turn_started_at", "id"],
                name="match_turn_to_notify",
            ),
        ),
        migrations.AddIndex(
            model_name="match",
            index=models.Index(
                condition=models.Q(("status", "finished"), ("is_notified", False)),
                fields=["id"],
                name="match_end_to_notify",
            ),
        ),
        migrations.AddIndex(
            model_name="matchanalysis",
            index=models.Index(
                condition=models.Q(("status__in", ["wanted", "running"])),
                fields=["requested_at", "id"],
                name="analysis_unfinished",
            ),
        ),
        migrations.AlterField(
            model_name="clockextension",
            name="kind",
            field=models.CharField(
                choices=[
                    ("organiser", "by an organiser"),
                    ("vacation", "a day of vacation"),
                    ("pause", "a pause of the clocks"),
                ],
                default="organiser",
                max_length=9,
                verbose_name="reason",
            ),
        ),
        migrations.AlterField(
            model_name="match",
            name="bank_red",
            field=models.PositiveBigIntegerField(verbose_name="time on Red's clock, in milliseconds"),
        ),
        migrations.AlterField(
            model_name="match",
            name="bank_yellow",
            field=models.PositiveBigIntegerField(verbose_name="time on Yellow's clock, in milliseconds"),
        ),
        migrations.AlterField(
            model_name="match",
            name="claimed_ply",
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name="ply that a worker has claimed"),
        ),
        migrations.AlterField(
            model_name="match",
            name="claimed_until",
            field=models.DateTimeField(blank=True, null=True, verbose_name="claimed until"),
        ),
        migrations.AlterField(
            model_name="match",
            name="extensions",
            field=models.PositiveSmallIntegerField(default=0, verbose_name="changes of its clocks by others"),
        ),
        migrations.AlterField(
            model_name="match",
            name="is_notified",
            field=models.BooleanField(default=False, verbose_name="players notified"),
        ),
        migrations.AlterField(
            model_name="match",
            name="time_bank",
            field=models.PositiveBigIntegerField(verbose_name="time to start with, in seconds"),
        ),
        migrations.AlterField(
            model_name="match",
            name="time_cap",
            field=models.PositiveBigIntegerField(verbose_name="most time on a clock, in seconds"),
        ),
        migrations.AlterField(
            model_name="match",
            name="time_increment",
            field=models.PositiveBigIntegerField(verbose_name="time that a turn adds, in seconds"),
        ),
        migrations.AlterField(
            model_name="match",
            name="vacation_limit",
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="maximum days of vacation"),
        ),
        migrations.AlterField(
            model_name="seek",
            name="time_bank",
            field=models.PositiveBigIntegerField(verbose_name="time to start with, in seconds"),
        ),
        migrations.AlterField(
            model_name="seek",
            name="time_cap",
            field=models.PositiveBigIntegerField(verbose_name="most time on a clock, in seconds"),
        ),
        migrations.AlterField(
            model_name="seek",
            name="time_increment",
            field=models.PositiveBigIntegerField(verbose_name="time that a turn adds, in seconds"),
        ),
    ]
