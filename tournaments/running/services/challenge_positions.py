"""Add players to a challenge ladder and remove them; ``challenge_results`` moves them.

Callers hold the competition's lock.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import F, Max

from formats.pairing.challenge import position_on_return
from tournaments.models import Entry, PlaceChange, Seat
from tournaments.records.ladders import remembered_positions
from tournaments.tables.services.challenge_results import replay_challenges


def enter_positions(*, entries: Iterable[Entry], now: datetime) -> None:
    """Let players enter one ladder: newcomers at the bottom, then those who come back in time near their old positions.

    Players with a position keep it.
    """
    order = {entry.pk: number for number, entry in enumerate(entries)}
    entering = list(Seat.objects.filter(entry__in=list(order), position=None).select_related("stage"))
    entering.sort(key=lambda seat: order[seat.entry_id])
    old = remembered_positions(seats=entering, now=now)
    _enter_at_bottom([seat for seat in entering if seat.pk not in old], now)
    by_id = {seat.pk: seat for seat in entering}
    for key, place in old.items():
        _re_enter(by_id[key], place, now)


def _re_enter(seat: Seat, old: int | None, now: datetime) -> None:
    """Put somebody who has come back near the old position, if it is remembered: everybody from there on goes down."""
    on_ladder = Seat.objects.filter(group=seat.group, position__isnull=False)
    seat.position = position_on_return(old, on_ladder.count())
    below = on_ladder.filter(position__gte=seat.position)
    passed = list(below.order_by("position").values_list("pk", flat=True))
    below.update(position=F("position") + 1)
    seat.save(update_fields=["position"])
    PlaceChange.objects.bulk_create(
        [
            PlaceChange(competition_id=seat.stage.competition_id, seat_id=key, place=place, changed_at=now)
            for place, key in enumerate([seat.pk, *passed], start=seat.position)
        ],
        batch_size=1000,
    )


def _enter_at_bottom(newcomers: Sequence[Seat], now: datetime) -> None:
    if not newcomers:
        return
    last = Seat.objects.filter(group=newcomers[0].group).aggregate(last=Max("position"))["last"] or 0
    for position, seat in enumerate(newcomers, start=last + 1):
        seat.position = position
    Seat.objects.bulk_update(newcomers, ["position"], batch_size=250)
    PlaceChange.objects.bulk_create(
        [
            PlaceChange(competition_id=seat.stage.competition_id, seat=seat, place=seat.position, changed_at=now)
            for seat in newcomers
        ],
        batch_size=1000,
    )


def leave_positions(*, entries: Iterable[Entry], now: datetime) -> None:
    """Take those who leave one ladder together off it: everybody below goes up.

    Where the ladder has moved since that moment, everything that happened on it is played again.
    """
    entries = list(entries)
    leaving = list(Seat.objects.filter(entry__in=[entry.pk for entry in entries], position__isnull=False))
    if not leaving:
        return
    group_id = leaving[0].group_id
    ladder_id = entries[0].competition_id
    gone = [PlaceChange(competition_id=ladder_id, seat=seat, place=None, changed_at=now) for seat in leaving]
    if PlaceChange.objects.filter(seat__group=group_id, changed_at__gt=now).exists():
        PlaceChange.objects.filter(seat__in=leaving, changed_at__gt=now).delete()
        PlaceChange.objects.bulk_create(gone, batch_size=1000)
        replay_challenges(ladder_id=ladder_id)
    else:
        _close_up(leaving, gone, now)


def _close_up(leaving: Sequence[Seat], gone: Sequence[PlaceChange], now: datetime) -> None:
    on_ladder = Seat.objects.filter(group=leaving[0].group, position__isnull=False)
    before = dict(on_ladder.order_by("position").values_list("pk", "position"))
    places = sorted(before[seat.pk] or 0 for seat in leaving)
    Seat.objects.filter(pk__in=[seat.pk for seat in leaving]).update(position=None)
    for number, place in enumerate(places, start=1):
        # Those between this place and the next that becomes free go up together.
        below = on_ladder.filter(position__gt=place)
        if number < len(places):
            below = below.filter(position__lt=places[number])
        below.update(position=F("position") - number)
    after = on_ladder.order_by("position").values_list("pk", "position")
    ladder_id = gone[0].competition_id
    risen = [
        PlaceChange(competition_id=ladder_id, seat_id=key, place=place, changed_at=now)
        for key, place in after
        if before[key] != place
    ]
    PlaceChange.objects.bulk_create([*gone, *risen], batch_size=1000)
