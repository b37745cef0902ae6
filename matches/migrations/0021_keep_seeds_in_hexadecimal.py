"""The seeds of dice become texts, in hexadecimal, as everybody is shown them."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations, models


class KeepInHexadecimal(migrations.AlterField):
    """Turn a column of bytes into one of texts, whose values are the same bytes in hexadecimal."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Rewrite the table."""
        table = to_state.apps.get_model(app_label, self.model_name)._meta.db_table  # noqa: SLF001
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"ALTER TABLE {table} ALTER seed TYPE varchar(64) USING encode(seed, 'hex')")
        else:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            schema_editor.execute(f"UPDATE {table} SET seed = lower(hex(seed))")  # noqa: S608

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Rewrite the table as it was."""
        table = to_state.apps.get_model(app_label, self.model_name)._meta.db_table  # noqa: SLF001
        connection = schema_editor.connection
        if connection.vendor == "postgresql":
            schema_editor.execute(f"ALTER TABLE {table} ALTER seed TYPE bytea USING decode(seed, 'hex')")
        else:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            connection.connection.create_function("bytes_of_hexadecimal", 1, bytes.fromhex)
            schema_editor.execute(f"UPDATE {table} SET seed = bytes_of_hexadecimal(seed)")  # noqa: S608


class Migration(migrations.Migration):
    """Seeds in hexadecimal."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("matches", "0001_squashed_0020_summarise_positions")]

    operations: ClassVar[list[migrations.operations.base.Operation]] = [
        KeepInHexadecimal("match", "seed", models.CharField(max_length=64, verbose_name="secret seed")),
        KeepInHexadecimal("spentseed", "seed", models.CharField(max_length=64, verbose_name="seed")),
    ]
