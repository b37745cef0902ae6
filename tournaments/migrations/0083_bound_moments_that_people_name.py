"""Bound the moments that people name, and mend those outside: competitions, series and rounds, and what followed.

A competition that has not started then has no date and is started by hand; one that has began when it did; a series
counts from when it was made; a round has no end date. What was dated by such a moment is dated by its neighbours.
"""

from datetime import UTC, datetime
from typing import Any, ClassVar

from django.db import migrations, models
from django.db.models import F, Q

import web.moment_bounds
from database.clock import current_moment

BEGIN, END = datetime(2000, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC)


def mend_moments(apps: Any, schema_editor: Any) -> None:
    """Replace moments outside the bounds."""

    def outside(model: str, field: str) -> Any:
        now = current_moment()
        late = Q(**{f"{field}__gte": datetime(now.year + 21, 1, 1, tzinfo=UTC)})
        rows = apps.get_model("tournaments", model).objects.using(schema_editor.connection.alias)
        return rows.filter(Q(**{f"{field}__lt": BEGIN}) | late)

    outside("Competition", "check_in_opened_at").update(check_in_opened_at=F("created_at"))
    outside("Competition", "starts_at").update(starts_at=F("started_at"))
    outside("Series", "anchor").update(anchor=F("created_at"))
    outside("Round", "ends_at").update(ends_at=None)
    outside("Stage", "next_begins_at").update(next_begins_at=None)
    outside("LogEntry", "logged_at").update(logged_at=F("stored_at"))


def _in_calendar(field: str, name: str) -> models.CheckConstraint:
    within = Q((f"{field}__gte", BEGIN), (f"{field}__lt", END))
    return models.CheckConstraint(condition=Q((field, None), within, _connector="OR"), name=name)


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0082_date_changes_of_memberships"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.RunPython(mend_moments, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="competition",
            name="starts_at",
            field=models.DateTimeField(
                blank=True, null=True, validators=[web.moment_bounds.check_bounds], verbose_name="starts at"
            ),
        ),
        migrations.AlterField(
            model_name="series",
            name="anchor",
            field=models.DateTimeField(validators=[web.moment_bounds.check_bounds], verbose_name="first date"),
        ),
        migrations.AddConstraint(
            model_name="competition", constraint=_in_calendar("starts_at", "competition_start_in_calendar")
        ),
        migrations.AddConstraint(model_name="round", constraint=_in_calendar("ends_at", "round_end_in_calendar")),
        migrations.AddConstraint(model_name="series", constraint=_in_calendar("anchor", "series_anchor_in_calendar")),
    ]
