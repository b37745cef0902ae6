from typing import Any

from django.db import migrations


def note_corrections(apps: Any, schema_editor: Any) -> None:
    """Note in matches since when other results count than theirs."""
    fixtures = apps.get_model("tournaments", "Fixture").objects.filter(correction__isnull=False, match__isnull=False)
    matches = apps.get_model("matches", "Match").objects
    for match_id, decided_at in fixtures.values_list("match", "correction__decided_at"):
        matches.filter(pk=match_id).update(corrected_at=decided_at)


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0027_correct_results"),
        ("tournaments", "0094_tell_of_lapsed_invitations"),
    ]

    operations = [migrations.RunPython(note_corrections, migrations.RunPython.noop)]
