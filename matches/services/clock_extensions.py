"""Keep what was done to clocks from outside, so that they can be verified."""

from __future__ import annotations

from datetime import datetime, timedelta

from matches import clock
from matches.models import ClockExtension, ExtensionKind, Match


def note_pause(*, match: Match, side: str, length: timedelta, now: datetime) -> None:
    """Store that the clock of the side to act has stood still for so long, until now."""
    ClockExtension.objects.create(
        match=match,
        kind=ExtensionKind.PAUSE,
        ply=match.ply,
        side=side,
        milliseconds=length // clock.MILLISECOND,
        granted_at=now,
    )
    match.extensions += 1
    Match.objects.filter(pk=match.pk).update(extensions=match.extensions)
