"""Let tokens end while there is a calendar: those that ended later end with what people may name."""

from datetime import UTC, datetime
from typing import Any, ClassVar

from django.db import migrations, models

BEGIN, END = datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def mend_moments(apps: Any, schema_editor: Any) -> None:
    """Let tokens outside the calendar end at its begin, or with what people may name."""
    tokens = apps.get_model("players", "ApiToken").objects.using(schema_editor.connection.alias)
    tokens.filter(expires_at__lt=BEGIN).update(expires_at=BEGIN)
    tokens.filter(expires_at__gte=END).update(expires_at=datetime(2046, 1, 1, tzinfo=UTC))


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("players", "0023_tell_of_new_passwords"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.RunPython(mend_moments, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="apitoken",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("expires_at", None),
                    models.Q(("expires_at__gte", BEGIN), ("expires_at__lt", END)),
                    _connector="OR",
                ),
                name="token_end_in_calendar",
            ),
        ),
    ]
