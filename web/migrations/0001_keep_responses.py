from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import StateApps

OLD_TABLE = "matches_storedanswer"
"""The table in which sites kept responses when they belonged to the matches."""


def take_over_table(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Rename the table of a site that has one, or else make it."""
    model = apps.get_model("web", "IdempotentResponse")
    if OLD_TABLE in schema_editor.connection.introspection.table_names():
        schema_editor.alter_db_table(model, OLD_TABLE, model._meta.db_table)  # noqa: SLF001 - public in all but name
    else:
        schema_editor.create_model(model)


class Migration(migrations.Migration):
    """The responses that are kept for requests with an ``Idempotency-Key``."""

    initial = True

    dependencies: ClassVar[list[tuple[str, str]]] = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("matches", "0012_rename_to_plain_words"),
    ]

    operations: ClassVar[list[Operation]] = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="IdempotentResponse",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.CharField(max_length=255)),
                        ("fingerprint", models.CharField(max_length=64)),
                        ("status", models.PositiveSmallIntegerField()),
                        ("body", models.TextField()),
                        ("headers", models.JSONField(default=dict)),
                        ("created_at", models.DateTimeField(db_index=True)),
                        (
                            "player",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=["player", "key"], name="stored_answer_one_for_each_key"),
                        ],
                    },
                ),
            ],
        ),
        migrations.RunPython(take_over_table, migrations.RunPython.noop, elidable=False),
    ]
