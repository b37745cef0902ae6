"""Let ratings be made again from the first match on that was rated though a side had not moved."""

from typing import Any, ClassVar

from django.db import migrations
from django.db.models import Exists, OuterRef


def mark_due(apps: Any, schema_editor: Any) -> None:
    """Note of each family of games the first such match: the sweep makes all changes from there again."""
    change, due = apps.get_model("tournaments", "RatingChange"), apps.get_model("tournaments", "RatingDue")
    own_moves = apps.get_model("matches", "Move").objects.filter(match=OuterRef("match"), is_drawn=False)
    moved_by_both = Exists(own_moves.filter(actor="yellow")) & Exists(own_moves.filter(actor="red"))
    for family in sorted(change.objects.values_list("family", flat=True).distinct()):
        first = change.objects.filter(~moved_by_both, family=family).order_by("finished_at", "match").first()
        if first is not None:
            due.objects.create(family=family, match_id=first.match_id)


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("matches", "0021_keep_seeds_in_hexadecimal"),
        ("tournaments", "0078_label_options_plainly"),
    ]

    operations: ClassVar[list[Any]] = [migrations.RunPython(mark_due, migrations.RunPython.noop, elidable=True)]
