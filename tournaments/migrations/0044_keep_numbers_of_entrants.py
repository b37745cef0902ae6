"""Keep with each competition how many are in it and how many have left it since it started."""

from typing import Any, ClassVar

from django.db import migrations, models
from django.db.models import Count, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce


def count_entries(apps: Any, schema_editor: Any) -> None:
    """Count the entries of each competition once."""
    entries = apps.get_model("tournaments", "Entry").objects.filter(competition=OuterRef("pk")).order_by()
    here = entries.filter(status__in=["active", "on-hold"])
    left = entries.filter(status="gone", left_at__gte=OuterRef("started_at"))
    apps.get_model("tournaments", "Competition").objects.update(entrants=_number(here), leavers=_number(left))


def _number(entries: Any) -> Coalesce:
    counted = entries.values("competition").annotate(number=Count("*")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [("tournaments", "0043_keep_forecasts")]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="competition",
            name="entrants",
            field=models.PositiveIntegerField(default=0, editable=False, verbose_name="players"),
        ),
        migrations.AddField(
            model_name="competition",
            name="leavers",
            field=models.PositiveIntegerField(default=0, editable=False, verbose_name="players who have left"),
        ),
        migrations.RunPython(count_entries, migrations.RunPython.noop, elidable=True),
    ]
