"""Moves get (match, ply) as their primary key, and lose the number and the two indexes that this makes superfluous."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models, transaction

KEY = ["match_id", "ply"]
NEW_INDEX = "matches_move_key"
LOCK_TIMEOUT = "5s"
"""The time that the change of PostgreSQL's catalogue waits for its lock: all who read or write moves wait behind it."""

SQLITE_TABLE = """\
CREATE TABLE "new__matches_move" (
    "match_id" bigint NOT NULL REFERENCES "matches_match" ("id") DEFERRABLE INITIALLY DEFERRED,
    "ply" integer unsigned NOT NULL CHECK ("ply" >= 0),
    "actor" varchar(6) NOT NULL,
    "text" text NOT NULL,
    "played_at" datetime NOT NULL,
    "thinking" bigint unsigned NULL CHECK ("thinking" >= 0),
    "is_drawn" bool DEFAULT 0 NOT NULL,
    PRIMARY KEY ("match_id", "ply"),
    CONSTRAINT "move_by_a_side_took_time" CHECK (
        ("actor" = 'chance' AND "thinking" IS NULL)
        OR ("actor" IN ('yellow', 'red') AND "thinking" IS NOT NULL)
    )
) WITHOUT ROWID"""
COLUMNS = "match_id, ply, actor, text, played_at, thinking, is_drawn"


def key_by_match_and_ply(apps: Any, schema_editor: Any) -> None:
    """Change the table. What an interrupted run has done is kept, so that the next one goes on."""
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        if connection.introspection.get_primary_key_columns(cursor, "matches_move") == KEY:
            return
        change = {"postgresql": _change_postgresql, "sqlite": _change_sqlite}[connection.vendor]
        change(connection, cursor)


def _change_postgresql(connection: Any, cursor: Any) -> None:
    """Build the key's index while moves are read and written; then change the catalogue, which reads no row."""
    cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [NEW_INDEX])
    if (built := cursor.fetchone()) == (False,):
        cursor.execute(f"DROP INDEX CONCURRENTLY {NEW_INDEX}")
    if built != (True,):
        cursor.execute(f"CREATE UNIQUE INDEX CONCURRENTLY {NEW_INDEX} ON matches_move (match_id, ply)")
    for name, found in connection.introspection.get_constraints(cursor, "matches_move").items():
        if found["index"] and found["columns"] == ["match_id"] and not found["unique"]:
            cursor.execute(f'DROP INDEX CONCURRENTLY "{name}"')
    with transaction.atomic(using=connection.alias):
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'")
        cursor.execute(
            f"""
            ALTER TABLE matches_move
                DROP CONSTRAINT move_one_for_each_ply,
                DROP CONSTRAINT matches_move_pkey,
                DROP COLUMN id,
                ADD CONSTRAINT matches_move_pkey PRIMARY KEY USING INDEX {NEW_INDEX}
            """
        )


def _change_sqlite(connection: Any, cursor: Any) -> None:
    """Copy the moves into a table that lies in the order of its key; all of it or nothing is stored."""
    with transaction.atomic(using=connection.alias):
        cursor.execute(SQLITE_TABLE)
        cursor.execute(
            f'INSERT INTO "new__matches_move" ({COLUMNS}) SELECT {COLUMNS} FROM "matches_move" ORDER BY match_id, ply'  # noqa: S608 - only names of columns are put in
        )
        cursor.execute('DROP TABLE "matches_move"')
        cursor.execute('ALTER TABLE "new__matches_move" RENAME TO "matches_move"')


class Migration(migrations.Migration):
    """The table of moves, keyed by match and ply."""

    # An index is built concurrently outside of transactions only.
    atomic = False

    dependencies = [
        ("matches", "0017_find_matches_by_game"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(key_by_match_and_ply, elidable=False)],
            state_operations=[
                migrations.RemoveConstraint(model_name="move", name="move_one_for_each_ply"),
                migrations.RemoveField(model_name="move", name="id"),
                migrations.AlterField(
                    model_name="move",
                    name="match",
                    field=models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="moves",
                        to="matches.match",
                    ),
                ),
                migrations.AddField(
                    model_name="move",
                    name="pk",
                    field=models.CompositePrimaryKey(
                        "match", "ply", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
            ],
        ),
    ]
