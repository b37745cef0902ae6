"""Add players to a challenge ladder and remove them; ``challenge_results`` moves them.

Callers hold the competition's lock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db.models import F, Max

from tournaments.models import Entry, PlaceChange
from tournaments.pairing.challenge import position_on_return
from tournaments.selectors.ladders import remembered_positions
from tournaments.services.ladders.challenge_results import replay_challenges


def enter_positions(*, entries: Iterable[Entry], now: datetime) -> None:
    """Let players enter one ladder: whoever comes back in time near the old position, others at the bottom.

    Players with a position keep it.
    """
    entering = [entry for entry in entries if entry.position is None]
    old = remembered_positions(entries=entering, now=now)
    _enter_at_bottom([entry for entry in entering if entry.pk not in old], now)
    for entry in entering:
        if entry.pk in old:
            _re_enter(entry, old[entry.pk], now)


def _re_enter(entry: Entry, old: int, now: datetime) -> None:
    """Put somebody who has come back near the old position: everybody from there on goes down by one."""
    on_ladder = Entry.objects.filter(competition_id=entry.competition_id, position__isnull=False)
    entry.position = position_on_return(old, on_ladder.count())
    below = on_ladder.filter(position__gte=entry.position)
    passed = list(below.order_by("position").values_list("pk", flat=True))
    below.update(position=F("position") + 1)
    entry.save(update_fields=["position"])
    PlaceChange.objects.bulk_create(
        [
            PlaceChange(entry_id=key, place=place, changed_at=now)
            for place, key in enumerate([entry.pk, *passed], start=entry.position)
        ],
        batch_size=1000,
    )


def _enter_at_bottom(newcomers: Sequence[Entry], now: datetime) -> None:
    if not newcomers:
        return
    last = Entry.objects.filter(competition_id=newcomers[0].competition_id).aggregate(last=Max("position"))["last"] or 0
    for position, entry in enumerate(newcomers, start=last + 1):
        entry.position = position
    Entry.objects.bulk_update(newcomers, ["position"], batch_size=250)
    PlaceChange.objects.bulk_create(
        [PlaceChange(entry=entry, place=entry.position, changed_at=now) for entry in newcomers], batch_size=1000
    )


def leave_positions(*, entries: Iterable[Entry], now: datetime) -> None:
    """Take those who leave one ladder together off it: everybody below goes up.

    Where the ladder has moved since that moment, everything that happened on it is played again.
    """
    leaving = {entry.pk: entry for entry in entries if entry.position is not None}
    if not leaving:
        return
    ladder_id = next(iter(leaving.values())).competition_id
    gone = [PlaceChange(entry_id=key, place=None, changed_at=now) for key in leaving]
    if PlaceChange.objects.filter(entry__competition=ladder_id, changed_at__gt=now).exists():
        PlaceChange.objects.filter(entry__in=list(leaving), changed_at__gt=now).delete()
        PlaceChange.objects.bulk_create(gone, batch_size=1000)
        replay_challenges(ladder_id=ladder_id)
    else:
        _close_up(ladder_id, leaving, gone, now)
    for entry in leaving.values():
        entry.position = None


def _close_up(ladder_id: int, leaving: Collection[int], gone: Sequence[PlaceChange], now: datetime) -> None:
    on_ladder = Entry.objects.filter(competition_id=ladder_id, position__isnull=False)
    before = dict(on_ladder.order_by("position").values_list("pk", "position"))
    places = sorted(before[key] or 0 for key in leaving)
    Entry.objects.filter(pk__in=list(leaving)).update(position=None)
    for number, place in enumerate(places, start=1):
        # Those between this place and the next that becomes free go up together.
        below = on_ladder.filter(position__gt=place)
        if number < len(places):
            below = below.filter(position__lt=places[number])
        below.update(position=F("position") - number)
    after = on_ladder.order_by("position").values_list("pk", "position")
    risen = [PlaceChange(entry_id=key, place=place, changed_at=now) for key, place in after if before[key] != place]
    PlaceChange.objects.bulk_create([*gone, *risen], batch_size=1000)
