"""Before the bounds themselves: PostgreSQL alters no table whose rows the same transaction has changed twice."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

MOST_DAYS = 3650
MOST_GAMES_EACH = 50


def bring_within_bounds(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let options that were larger, with which an event did not work, be the largest there are."""
    cups = apps.get_model("tournaments", "Cup").objects
    cups.filter(round_days__gt=MOST_DAYS).update(round_days=MOST_DAYS)
    cups.filter(round_days=0).update(round_days=1)
    ladders = apps.get_model("tournaments", "Ladder").objects
    ladders.filter(window_days__gt=MOST_DAYS).update(window_days=MOST_DAYS)
    ladders.filter(rematch_days__gt=MOST_DAYS).update(rematch_days=MOST_DAYS)
    ladders.filter(games_each__gt=MOST_GAMES_EACH).update(games_each=MOST_GAMES_EACH)
    ladders.filter(games_each=0).update(games_each=1)


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("tournaments", "0007_free_places_from_their_index")]

    operations: ClassVar[list[Any]] = [
        migrations.RunPython(bring_within_bounds, migrations.RunPython.noop, elidable=True),
    ]
