from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

WINNERS = """
UPDATE tournaments_competition SET winner_id = cup.winner_id
  FROM tournaments_cup AS cup
 WHERE cup.competition_ptr_id = tournaments_competition.id AND cup.winner_id IS NOT NULL;
"""


class Migration(migrations.Migration):
    """Ladders and cups are competitions of a kind, and have no tables of their own."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("tournaments", "0018_let_stages_say_how_they_are_played")]

    operations: ClassVar[list[Operation]] = [
        migrations.AlterField(
            model_name="round",
            name="cup",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="rounds", to="tournaments.competition"
            ),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name="Ladder"), migrations.DeleteModel(name="Cup")]
        ),
        migrations.AddField(
            model_name="competition",
            name="winner",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="competitions_won",
                to="tournaments.entry",
            ),
        ),
        migrations.RunSQL(WINNERS),
        migrations.RunSQL("DROP TABLE tournaments_ladder; DROP TABLE tournaments_cup;"),
        migrations.RemoveField(model_name="competition", name="tiebreaks"),
        migrations.CreateModel(
            name="Ladder",
            fields=[],
            options={
                "verbose_name": "ladder",
                "verbose_name_plural": "ladders",
                "proxy": True,
                "indexes": [],
                "constraints": [],
            },
            bases=("tournaments.competition",),
        ),
        migrations.CreateModel(
            name="Cup",
            fields=[],
            options={
                "verbose_name": "cup",
                "verbose_name_plural": "cups",
                "proxy": True,
                "indexes": [],
                "constraints": [],
            },
            bases=("tournaments.competition",),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="round",
                    name="cup",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rounds", to="tournaments.cup"
                    ),
                )
            ]
        ),
    ]
