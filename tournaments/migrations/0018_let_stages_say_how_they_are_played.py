from __future__ import annotations

from typing import ClassVar

import django.core.validators
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import StateApps

FILL = """
UPDATE tournaments_competition SET kind = 'ladder'
 WHERE id IN (SELECT competition_ptr_id FROM tournaments_ladder);

UPDATE tournaments_stage SET tiebreaks = competition.tiebreaks
  FROM tournaments_competition AS competition WHERE competition.id = tournaments_stage.competition_id;

UPDATE tournaments_stage
   SET format = CASE ladder.system WHEN 'challenge' THEN 'challenge-ladder' ELSE 'points-ladder' END,
       options = CASE ladder.system
           WHEN 'challenge' THEN {object}(
               'rematch_days', ladder.rematch_days, 'window_days', ladder.window_days,
               'max_outgoing', ladder.max_outgoing, 'max_incoming', ladder.max_incoming,
               'inactive_days', ladder.inactive_days, 'return_days', ladder.return_days)
           ELSE {object}(
               'window_days', ladder.window_days, 'best_results', ladder.best_results,
               'min_matches', ladder.min_matches, 'games_each', ladder.games_each,
               'rematch_days', ladder.rematch_days,
               'inactive_days', ladder.inactive_days, 'return_days', ladder.return_days)
           END
  FROM tournaments_ladder AS ladder WHERE ladder.competition_ptr_id = tournaments_stage.competition_id;

UPDATE tournaments_stage
   SET format = CASE cup.format WHEN 'elimination' THEN 'knock-out' ELSE 'round-robin' END,
       options = CASE cup.format
           WHEN 'elimination' THEN {object}(
               'legs', cup.legs, 'replays', cup.replays, 'third_place', {third_place})
           ELSE {object}('cycles', cup.cycles)
           END,
       seeding = cup.seeding, draw_seed = cup.draw_seed, round_days = cup.round_days,
       at_round_end = cup.at_round_end, late_entry = cup.late_entry
  FROM tournaments_cup AS cup WHERE cup.competition_ptr_id = tournaments_stage.competition_id;
"""
"""A competition has one stage so far. Options that its format does not have meant nothing, and are left."""

OBJECTS = {
    "postgresql": {"object": "jsonb_build_object", "third_place": "cup.third_place"},
    "sqlite": {"object": "json_object", "third_place": "json(CASE WHEN cup.third_place THEN 'true' ELSE 'false' END)"},
}


def fill(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let each stage say what its ladder or its cup has said."""
    for statement in FILL.format(**OBJECTS[schema_editor.connection.vendor]).split(";"):
        if statement.strip():
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    """Stages say how a competition is played, and the competition itself says of what kind it is."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("tournaments", "0017_let_inactive_players_leave_ladders")]

    operations: ClassVar[list[Operation]] = [
        migrations.AddField(
            model_name="competition",
            name="kind",
            field=models.CharField(
                choices=[("ladder", "ladder"), ("cup", "cup")],
                default="cup",
                editable=False,
                max_length=6,
                verbose_name="kind",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="format",
            field=models.CharField(default="", max_length=40, verbose_name="format"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="stage", name="options", field=models.JSONField(default=dict, verbose_name="options")
        ),
        migrations.AddField(
            model_name="stage",
            name="tiebreaks",
            field=models.JSONField(default=list, verbose_name="order of the table"),
        ),
        migrations.AddField(
            model_name="stage",
            name="seeding",
            field=models.CharField(
                choices=[("rating", "by rating"), ("draw", "by draw"), ("hand", "by hand")],
                default="rating",
                max_length=6,
                verbose_name="seeds",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="draw_seed",
            field=models.PositiveBigIntegerField(blank=True, null=True, verbose_name="draw seed"),
        ),
        migrations.AddField(
            model_name="stage",
            name="round_days",
            field=models.PositiveIntegerField(
                blank=True,
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(3650),
                ],
                verbose_name="days for each round",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="at_round_end",
            field=models.CharField(
                choices=[
                    ("wait", "wait for them"),
                    ("adjudicate", "adjudicate by the score"),
                    ("forfeit", "the player to move loses"),
                ],
                default="wait",
                max_length=10,
                verbose_name="when the time of a round is over",
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="late_entry",
            field=models.BooleanField(
                default=False,
                help_text="Possible only if the format allows it, and only without days for each round.",
                verbose_name="entry after the start",
            ),
        ),
        migrations.AlterModelOptions(
            name="stage",
            options={"ordering": ("number",), "verbose_name": "stage", "verbose_name_plural": "stages"},
        ),
        migrations.AddConstraint(
            model_name="competition",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["ladder", "cup"])), name="competition_kind_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.CheckConstraint(
                condition=models.Q(("round_days", None), ("round_days__range", (1, 3650)), _connector="OR"),
                name="stage_round_days_bounded",
            ),
        ),
        # Last: PostgreSQL changes no table whose rows this transaction has changed.
        migrations.RunPython(fill),
    ]
