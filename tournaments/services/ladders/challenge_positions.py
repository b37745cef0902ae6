"""Add players to a challenge ladder and remove them; ``challenge_results`` moves them.

Callers hold the competition's lock.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import F, Max

from tournaments.models import Entry, PlaceChange
from tournaments.services.ladders.challenge_results import replay_challenges


def enter_at_bottom(*, entries: Iterable[Entry], now: datetime) -> None:
    """Give newcomers to one ladder the last positions, in their order; players with a position keep it."""
    newcomers = [entry for entry in entries if entry.position is None]
    if not newcomers:
        return
    last = Entry.objects.filter(competition_id=newcomers[0].competition_id).aggregate(last=Max("position"))["last"] or 0
    for position, entry in enumerate(newcomers, start=last + 1):
        entry.position = position
    Entry.objects.bulk_update(newcomers, ["position"], batch_size=250)
    PlaceChange.objects.bulk_create(
        [PlaceChange(entry=entry, place=entry.position, changed_at=now) for entry in newcomers], batch_size=1000
    )


def leave_position(*, entry: Entry, now: datetime) -> None:
    """Take a leaver off the ladder: everybody below goes up by one.

    Where the ladder has moved since that moment, everything that happened on it is played again.
    """
    if entry.position is None:
        return
    if PlaceChange.objects.filter(entry__competition=entry.competition_id, changed_at__gt=now).exists():
        PlaceChange.objects.create(entry=entry, place=None, changed_at=now)
        replay_challenges(ladder_id=entry.competition_id)
        entry.position = None
        return
    below = Entry.objects.filter(competition_id=entry.competition_id, position__gt=entry.position)
    risen = below.values_list("pk", "position")
    changes = [PlaceChange(entry=entry, place=None, changed_at=now)]
    changes += [PlaceChange(entry_id=key, place=position - 1, changed_at=now) for key, position in risen if position]
    below.update(position=F("position") - 1)
    entry.position = None
    entry.save(update_fields=["position"])
    PlaceChange.objects.bulk_create(changes, batch_size=1000)
