from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import migrations

LEVELS = ("beginner", "club", "strong")
LEVEL_UNTIL_NOW = "club"


def make_computers(apps: Any, schema_editor: Any) -> None:
    """Make one for each level. The only one there was until now keeps its matches and rating, as the middle one."""
    players = apps.get_model("players", "Player").objects
    players.filter(username="computer", is_computer=True).update(
        username=f"computer-{LEVEL_UNTIL_NOW}", level=LEVEL_UNTIL_NOW
    )
    for level in LEVELS:
        named = players.filter(username=f"computer-{level}", is_computer=True)
        if not named.update(level=level):
            players.create(username=f"computer-{level}", is_computer=True, level=level, password=make_password(None))


class Migration(migrations.Migration):
    dependencies = [
        ("players", "0006_give_computers_levels"),
    ]

    operations = [
        migrations.RunPython(make_computers, migrations.RunPython.noop),
    ]
