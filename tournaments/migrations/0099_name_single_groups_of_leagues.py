from typing import Any

from django.db import migrations, models
from django.db.models import Exists, OuterRef

FIRST_OF_A_LEAGUE = [2**number for number in range(1, 15)]


def note_single_groups(apps: Any, schema_editor: Any) -> None:
    """Note which groups of leagues that have been drawn are the only ones of theirs."""
    groups = apps.get_model("tournaments", "Group").objects
    later = groups.filter(stage=OuterRef("stage"), number__gt=OuterRef("number"))
    last = groups.filter(~Exists(later), number__in=FIRST_OF_A_LEAGUE, stage__grouping__isnull=False)
    single = [key for key, grouping in last.values_list("pk", "stage__grouping") if grouping.get("league_size")]
    groups.filter(pk__in=single).update(is_only_one=True)


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0098_find_forgiven_outages"),
    ]

    operations = [
        migrations.AddField(
            "group", "is_only_one", models.BooleanField(default=False, db_default=False, editable=False)
        ),
        migrations.RunPython(note_single_groups, migrations.RunPython.noop),
    ]
