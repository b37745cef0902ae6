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
    ]
