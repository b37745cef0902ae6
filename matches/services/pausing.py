"""Letting the clocks of a competition stand still, and run on."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import groupby

from django.db import transaction
from django.db.models import F

from matches import clock
from matches.models import ClockExtension, ExtensionKind, Match, Status
from matches.models.match import RUNNING
from matches.services.doorbells import ring_changed

BATCH = 500


def pause_competition(*, competition: int, now: datetime) -> int:
    """Stop the clocks of a competition's running matches; return how many this call stopped.

    Nobody moves until they run again; to resign is allowed. Matches whose time has run out before are left to
    ``expire_due``, which locks players and so cannot run in here, under the lock of the competition. One that
    vacation saves then is stopped by the next call; for the others, again has no effect.
    """
    now = clock.whole_millisecond(now)
    running = Match.objects.filter(RUNNING, competition=competition, deadline__gt=now)
    paused = running.update(paused_at=now, extensions=F("extensions") + 1)
    ring_changed()
    return paused


def resume_competition(*, competition: int, now: datetime) -> int:
    """Let the clocks of a competition's matches run on, with what they held; return how many this call started.

    Deadlines are later by the length of the pause. Again has no effect.
    """
    now = clock.whole_millisecond(now)
    resumed = 0
    while batch := _resume_some(competition, now):
        resumed += batch
    return resumed


@transaction.atomic
def _resume_some(competition: int, now: datetime) -> int:
    paused = Match.objects.filter(competition=competition, status=Status.PLAYING, paused_at__isnull=False)
    matches = list(paused.select_for_update(no_key=True).order_by("paused_at", "pk")[:BATCH])
    for paused_at, alike in groupby(matches, key=lambda match: match.paused_at):
        if paused_at is not None:
            _start_again(list(alike), length=clock.spent(paused_at, now), now=now)
    return len(matches)


def _start_again(matches: list[Match], *, length: timedelta, now: datetime) -> None:
    """Start the clocks of locked matches that have stood still for so long."""
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(
        turn_started_at=F("turn_started_at") + length,
        deadline=F("deadline") + length,
        paused_at=None,
        extensions=F("extensions") + 1,
    )
    ClockExtension.objects.bulk_create(
        ClockExtension(
            match=match,
            kind=ExtensionKind.PAUSE,
            ply=match.ply,
            side=match.side,
            milliseconds=length // clock.MILLISECOND,
            granted_at=now,
        )
        for match in matches
    )
    ring_changed([match.pk for match in matches])
