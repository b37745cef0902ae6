"""Outages that were forgiven, and what that still means for the matches that were lost on time in them."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from matches import clock
from matches.models import ClockExtension, ExtensionKind
from tournaments.models import LogEntry
from tournaments.models.log import FORGIVEN, OF_OUTAGES


def standing_outages(*, competition_id: int) -> list[LogEntry]:
    """Return the lines of the log by which matches were let go on, and that were not taken back, in order."""
    standing: list[LogEntry] = []
    for line in LogEntry.objects.filter(OF_OUTAGES, competition_id=competition_id).order_by("pk"):
        if line.action == FORGIVEN:
            standing.append(line)
        else:
            standing.pop()
    return standing


def unforgiven_losses(*, competition_id: int, match_ids: Iterable[int] | QuerySet[Any]) -> list[ClockExtension]:
    """Return the losses on time that were forgiven, and are not any more: one for each of these matches at most."""
    rows = ClockExtension.objects.filter(kind=ExtensionKind.OUTAGE, match__in=match_ids)
    if not rows.exists():
        return []
    standing = [clock.whole_millisecond(each.logged_at) for each in standing_outages(competition_id=competition_id)]
    return list({row.match_id: row for row in rows.exclude(granted_at__in=standing).order_by("-pk")}.values())
