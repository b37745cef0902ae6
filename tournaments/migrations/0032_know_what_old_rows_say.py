"""Let rows from before 0025 and 0027 say what new ones say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import StateApps
from django.db.models import DateTimeField, ExpressionWrapper, F, Q

TELLING = ("tournaments", "0027_say_whom_lines_of_logs_concern")
"""Since this migration players hear of rounds that are overdue."""

MAX_SUBJECT_LENGTH = 120
MILLISECOND = timedelta(milliseconds=1)


def note_what_ended_with_competitions(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Say of what was broken off at the end of a competition that it can go on if the end is taken back.

    A match was annulled in the millisecond of the end. What had not begun has no moment: it is what no organiser
    annulled, as the log says.
    """
    fixtures = apps.get_model("tournaments", "Fixture").objects
    by_hand = Q(competition__status="cancelled") | Q(competition__status="finished", competition__kind="ladder")
    open_once = fixtures.filter(by_hand, is_annulled=True, annulment="", replay=None, counted_at=None)
    end = F("competition__finished_at")
    broken_off = open_once.filter(
        match__annulled_at__lte=end,
        match__annulled_at__gt=ExpressionWrapper(end - MILLISECOND, output_field=DateTimeField()),
    )
    ended = [*broken_off.values_list("pk", flat=True), *_not_begun(apps, open_once.filter(match=None))]
    for start in range(0, len(ended), 500):
        fixtures.filter(pk__in=ended[start : start + 500]).update(annulment="ended")


def _not_begun(apps: StateApps, annulled: Any) -> Iterator[int]:
    """Yield those that no line of a log calls annulled, by any of those who have had the places."""
    log = apps.get_model("tournaments", "LogEntry").objects.filter(action="annulled")
    entries = apps.get_model("tournaments", "Entry").objects
    for competition in sorted(set(annulled.values_list("competition", flat=True))):
        lines = set(log.filter(competition=competition).values_list("subject", flat=True))
        names: dict[int, set[str]] = {}
        own = entries.filter(competition=competition).order_by("pk")
        for key, replaced, name in own.values_list("pk", "replaces", "player__username"):
            names[key] = {name, *names.get(replaced, ())}
        rows = annulled.filter(competition=competition).values_list("pk", "yellow", "red")
        for key, yellow, red in rows:
            called = {f"{one} – {other}"[:MAX_SUBJECT_LENGTH] for one in names[yellow] for other in names[red]}
            if lines.isdisjoint(called):
                yield key


def rewrite_mails(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let mails that were given up name all that they are about, so that they can be tried once more."""
    deliveries = apps.get_model("players", "Delivery").objects.filter(
        kind="competition", state__in=["pending", "failed"]
    )
    for delivery in deliveries.iterator(chunk_size=500):
        about = delivery.about
        if "lines" not in about:
            entry = [about["entry"]] if "entry" in about else []
            delivery.about = {"lines": entry, "fixtures": about.get("fixtures", [])}
            delivery.save(update_fields=["about"])


def note_overdue_rounds(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Take it for known that rounds are overdue which were so before anybody was told."""
    told_since = MigrationRecorder(schema_editor.connection).applied_migrations()[TELLING].applied
    rounds = apps.get_model("tournaments", "Round").objects.filter(overdue_of=None, ended_at=None)
    rounds.filter(ends_at__lte=told_since).update(overdue_of=F("ends_at"))


class Migration(migrations.Migration):
    """Rows from before 0025 and 0027 say what new ones say."""

    dependencies: ClassVar[list[tuple[str, str]]] = [
        ("tournaments", "0031_let_helpers_decide_matches"),
        ("players", "0015_let_organisers_choose_their_mail"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations: ClassVar[list[Operation]] = [
        migrations.RunPython(note_what_ended_with_competitions, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(rewrite_mails, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(note_overdue_rounds, migrations.RunPython.noop, elidable=True),
    ]
