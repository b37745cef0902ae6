from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import StateApps

SEATS = """
UPDATE tournaments_seat
   SET seed = (SELECT seed FROM tournaments_entry entry WHERE entry.id = tournaments_seat.entry_id),
       position = (SELECT position FROM tournaments_entry entry WHERE entry.id = tournaments_seat.entry_id)
"""

FIXTURES = "UPDATE tournaments_fixture SET group_id = competition_id"
"""Until now a competition has one group, of the same number."""

EARLIER = """
    SELECT before.id
      FROM tournaments_tie before
      JOIN tournaments_round earlier ON earlier.id = before.round_id
      JOIN tournaments_round own ON own.group_id = earlier.group_id AND own.number = earlier.number + 1
     WHERE own.id = tournaments_tie.round_id AND before.part = 'main' AND before.slot = 2 * tournaments_tie.slot + {place}
"""
SEED = """
    SELECT seat.seed
      FROM tournaments_seat seat
      JOIN tournaments_round own ON own.group_id = seat.group_id
     WHERE own.id = tournaments_tie.round_id AND seat.entry_id = tournaments_tie.{side}_id
"""
PARTS = "UPDATE tournaments_tie SET part = 'third-place' WHERE is_third_place"


def check_now(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let PostgreSQL check what was stored: it alters no table of which it would have to check rows later."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute("SET CONSTRAINTS ALL DEFERRED")


def find_sources(side: str, place: int) -> str:
    """Return the statements that store where the entrants of one side come from."""
    return f"""
UPDATE tournaments_tie SET {side}_from_id = ({EARLIER.format(place=place)});
UPDATE tournaments_tie SET {side}_takes = CASE WHEN part = 'third-place' THEN 'loser' ELSE 'winner' END
 WHERE {side}_from_id IS NOT NULL;
UPDATE tournaments_tie SET {side}_seed = ({SEED.format(side=side)}) WHERE {side}_from_id IS NULL;
"""  # noqa: S608 - of constants


def source_fields(side: str) -> list[Operation]:
    """Return the operations that add the columns of one side's source."""
    outcomes = [("winner", "winner"), ("loser", "loser")]
    return [
        migrations.AddField(
            model_name="tie",
            name=f"{side}_seed",
            field=models.PositiveIntegerField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="tie",
            name=f"{side}_from",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name=f"sends_to_{side}",
                to="tournaments.tie",
            ),
        ),
        migrations.AddField(
            model_name="tie",
            name=f"{side}_takes",
            field=models.CharField(blank=True, choices=outcomes, default="", editable=False, max_length=6),
            preserve_default=False,
        ),
    ]


class Migration(migrations.Migration):
    """Rounds, tables and places belong to groups and seats, and a tie knows where its entrants come from."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("tournaments", "0019_keep_ladders_and_cups_in_one_table")]

    operations: ClassVar[list[Operation]] = [
        # Seeds and positions
        migrations.AddField(
            model_name="seat",
            name="seed",
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name="seed"),
        ),
        migrations.AddField(
            model_name="seat",
            name="position",
            field=models.PositiveIntegerField(blank=True, null=True, verbose_name="position"),
        ),
        migrations.RunSQL(SEATS, migrations.RunSQL.noop),
        migrations.RunPython(check_now, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="entry", name="entry_seeds_differ"),
        migrations.RemoveIndex(model_name="entry", name="entry_by_position"),
        migrations.RemoveField(model_name="entry", name="seed"),
        migrations.RemoveField(model_name="entry", name="position"),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(
                condition=models.Q(("seed__isnull", False)), fields=("group", "seed"), name="seat_seeds_differ"
            ),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("position__isnull", False)), fields=["group", "position"], name="seat_by_position"
            ),
        ),
        # Tables and places: the numbers stay, and are those of groups and seats from here on.
        migrations.RenameField(model_name="standing", old_name="entry", new_name="seat"),
        migrations.RenameField(model_name="standing", old_name="competition", new_name="group"),
        migrations.AlterField(
            model_name="standing",
            name="seat",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="standing",
                serialize=False,
                to="tournaments.seat",
            ),
        ),
        migrations.AlterField(
            model_name="standing",
            name="group",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="standings", to="tournaments.group"
            ),
        ),
        migrations.RemoveIndex(model_name="placechange", name="place_change_by_entry"),
        migrations.RenameField(model_name="placechange", old_name="entry", new_name="seat"),
        migrations.AlterField(
            model_name="placechange",
            name="seat",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="place_changes", to="tournaments.seat"
            ),
        ),
        migrations.AddIndex(
            model_name="placechange",
            index=models.Index(fields=["seat", "changed_at"], name="place_change_by_seat"),
        ),
        # Rounds
        migrations.RemoveConstraint(model_name="round", name="round_numbers_differ"),
        migrations.RenameField(model_name="round", old_name="cup", new_name="group"),
        migrations.AlterField(
            model_name="round",
            name="group",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="rounds", to="tournaments.group"
            ),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(fields=("group", "number"), name="round_numbers_differ"),
        ),
        # Ties
        migrations.AddField(
            model_name="tie",
            name="part",
            field=models.CharField(
                choices=[
                    ("main", "main bracket"),
                    ("third-place", "third place"),
                    ("losers", "losers' bracket"),
                    ("final", "final"),
                    ("reset", "second final"),
                ],
                default="main",
                max_length=11,
                verbose_name="part",
            ),
        ),
        migrations.RunSQL(PARTS, migrations.RunSQL.noop),
        migrations.RunPython(check_now, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="tie", name="tie_slots_differ"),
        migrations.RemoveField(model_name="tie", name="is_third_place"),
        migrations.AddConstraint(
            model_name="tie",
            constraint=models.UniqueConstraint(fields=("round", "part", "slot"), name="tie_slots_differ"),
        ),
        *source_fields("first"),
        *source_fields("second"),
        migrations.RunSQL(find_sources("first", 0), migrations.RunSQL.noop),
        migrations.RunSQL(find_sources("second", 1), migrations.RunSQL.noop),
        migrations.RunPython(check_now, migrations.RunPython.noop),
        *[
            migrations.AddConstraint(
                model_name="tie",
                constraint=models.CheckConstraint(
                    condition=models.Q(
                        models.Q((f"{side}_from", None), (f"{side}_takes", "")),
                        models.Q((f"{side}_from__isnull", False), models.Q((f"{side}_takes", ""), _negated=True)),
                        _connector="OR",
                    ),
                    name=f"tie_{side}_taken_from_a_tie",
                ),
            )
            for side in ("first", "second")
        ],
        # Fixtures
        migrations.AddField(
            model_name="fixture",
            name="group",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="fixtures",
                to="tournaments.group",
            ),
        ),
        migrations.RunSQL(FIXTURES, migrations.RunSQL.noop),
        migrations.RunPython(check_now, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="fixture",
            name="group",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="fixtures", to="tournaments.group"
            ),
        ),
        migrations.RemoveIndex(model_name="fixture", name="fixture_results"),
        migrations.RemoveIndex(model_name="fixture", name="fixture_without_history"),
        migrations.RemoveIndex(model_name="fixture", name="fixture_lost_on_time"),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("counted_at__isnull", False), ("is_annulled", False)),
                fields=["group", "finished_at"],
                name="fixture_results",
            ),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("counted_at__isnull", False), ("is_annulled", False), ("is_in_history", False)),
                fields=["group"],
                name="fixture_without_history",
            ),
        ),
        migrations.AddIndex(
            model_name="fixture",
            index=models.Index(
                condition=models.Q(("ending", "timeout"), ("is_annulled", False)),
                fields=["group", "finished_at"],
                name="fixture_lost_on_time",
            ),
        ),
    ]
