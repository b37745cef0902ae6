"""Let PostgreSQL find players by any part of their usernames; SQLite, for small sites, reads them all."""

from typing import Any, ClassVar

from django.db import migrations


def make_index(apps: Any, schema_editor: Any) -> None:
    """Index the groups of three letters of all usernames; whoever owns the database may create the extension."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        schema_editor.execute("CREATE INDEX player_by_part ON players_player USING gin (lower(username) gin_trgm_ops)")


def drop_index(apps: Any, schema_editor: Any) -> None:
    """Drop the index; others may use the extension."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX player_by_part")


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("players", "0024_bound_ends_of_tokens"),
    ]

    operations: ClassVar[list[Any]] = [migrations.RunPython(make_index, drop_index)]
