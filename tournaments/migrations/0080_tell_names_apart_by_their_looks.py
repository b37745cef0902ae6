"""Note what the names of teams look like, so that no other team gets one that looks the same."""

from typing import Any, ClassVar

from django.db import migrations, models

from web.written_texts import find_skeleton


def note_skeletons(apps: Any, _editor: Any) -> None:
    """Give each team the skeleton of its name; of those that look the same the first alone."""
    known = set()
    for team in apps.get_model("tournaments", "Team").objects.order_by("pk").iterator():
        skeleton = find_skeleton(team.name)
        if skeleton not in known:
            known.add(skeleton)
            team.skeleton = skeleton
            team.save(update_fields=["skeleton"])


class Migration(migrations.Migration):
    dependencies: ClassVar[list[Any]] = [
        ("tournaments", "0079_rate_begun_matches_only"),
    ]

    operations: ClassVar[list[Any]] = [
        migrations.AddField(
            model_name="team",
            name="skeleton",
            field=models.TextField(editable=False, null=True, unique=True),
        ),
        migrations.RunPython(note_skeletons, migrations.RunPython.noop),
    ]
