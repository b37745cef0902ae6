from __future__ import annotations

from typing import ClassVar

import django.core.validators
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import StateApps


def rename_kind(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give mails about competitions their new kind."""
    mails = apps.get_model("players", "Delivery").objects.using(schema_editor.connection.alias)
    mails.filter(kind="event").update(kind="competition")


def rename_kind_back(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give mails about competitions their old kind."""
    mails = apps.get_model("players", "Delivery").objects.using(schema_editor.connection.alias)
    mails.filter(kind="competition").update(kind="event")


class Migration(migrations.Migration):
    """Mails about competitions, and the switch for them, say competition."""

    dependencies: ClassVar[list[tuple[str, str]]] = [("players", "0012_keep_keys_of_token_requests")]

    operations: ClassVar[list[Operation]] = [
        migrations.RenameField(model_name="mailsettings", old_name="events", new_name="competitions"),
        migrations.RunPython(rename_kind, rename_kind_back),
        migrations.AlterField(
            model_name="delivery",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "your turn"),
                    ("deadline", "deadline near"),
                    ("end", "match over"),
                    ("competition", "news of a competition"),
                    ("confirmation", "confirmation of an address"),
                    ("reset", "password reset"),
                    ("new-address", "another address, told to the old one"),
                    ("known", "address named for another account"),
                ],
                max_length=12,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="mailsettings",
            name="competitions",
            field=models.BooleanField(default=True, verbose_name="news of the competitions that I play in"),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="kind",
            field=models.CharField(
                choices=[
                    ("turn", "your turn"),
                    ("deadline", "deadline near"),
                    ("end", "match over"),
                    ("competition", "news of a competition"),
                    ("confirmation", "confirmation of an e-mail address"),
                    ("reset", "password reset"),
                    ("new-address", "e-mail address changed, sent to the old one"),
                    ("known", "e-mail address entered for another account"),
                ],
                max_length=12,
                verbose_name="kind",
            ),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="state",
            field=models.CharField(
                choices=[
                    ("pending", "to be sent"),
                    ("sent", "sent"),
                    ("dropped", "no longer wanted or no longer true"),
                    ("failed", "given up"),
                ],
                default="pending",
                max_length=8,
                verbose_name="state",
            ),
        ),
        migrations.AlterField(
            model_name="player",
            name="email_confirmed_at",
            field=models.DateTimeField(blank=True, null=True, verbose_name="e-mail address confirmed"),
        ),
        migrations.AlterField(
            model_name="player",
            name="username",
            field=models.CharField(
                max_length=20,
                unique=True,
                validators=[
                    django.core.validators.RegexValidator(
                        "[A-Za-z0-9_-]{3,20}\\Z", "A username has 3 to 20 letters, digits, hyphens or underscores."
                    )
                ],
                verbose_name="username",
            ),
        ),
    ]
