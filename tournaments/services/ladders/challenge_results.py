"""Move players of a challenge ladder by the results of their games.

A result is applied as it comes while it is the ladder's latest. One that ended before something that
has moved the ladder since makes everything be played again, in the order in which it happened, so
that positions and their history do not depend on the order in which matches were settled. Callers
hold the competition's lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum
from itertools import groupby

from django.db.models import F

from rules_engine.values import Side
from tournaments.models import Fixture, Ladder, PlaceChange, Seat
from tournaments.pairing.challenge import order_after, position_after, re_enter
from tournaments.selectors.groups import first_group_id, seats_by_entry
from tournaments.selectors.ladders import return_time

MAX_ROWS = 1000
MAX_CLIMBS = 10
"""More victories that come together than these are not applied one by one: everything is played again, once."""


class What(IntEnum):
    """The kinds of changes on a ladder, in the order in which those of the same moment are applied."""

    ENTERED = 0
    RESULT = 1
    LEFT = 2
    RETURNED = 3


@dataclass(frozen=True, slots=True, order=True)
class Happening:
    """The holder of a seat came, left, or won against ``opponent``; ``number`` orders those of one moment.

    The old position of somebody who returned in time ``is_remembered``; others left ``together`` with this one.
    """

    at: datetime
    what: What
    number: int
    seat: int
    opponent: int | None = None
    match: int | None = None
    is_remembered: bool = False
    together: tuple[int, ...] = ()


def apply_challenges(*, ladder_id: int, fixtures: Iterable[Fixture]) -> None:
    """Put challengers whose victories have been counted directly above their opponents, if they stand below."""
    challenges = [fixture for fixture in fixtures if _challenger_has_won(fixture)]
    if not challenges:
        return
    group_id = first_group_id(competition_id=ladder_id)
    entrants = {entry for fixture in challenges for entry in (fixture.yellow_id, fixture.red_id)}
    seat_of = seats_by_entry(group_id=group_id, entries=sorted(entrants))
    victories = sorted(_victories_of(challenges, seat_of))
    first = victories[0]
    is_late = PlaceChange.objects.filter(changed_at__gte=first.at, seat__group=group_id).exists()
    if is_late or len(victories) > MAX_CLIMBS:
        replay_challenges(ladder_id=ladder_id)
        return
    for victory in victories:
        _climb(group_id, victory)


def replay_challenges(*, ladder_id: int) -> None:
    """Store the positions of a challenge ladder, and their history, as everything that happened on it gives them."""
    order, history = play_again(happenings_of(ladder_id=ladder_id))
    position_of = {seat: position for position, seat in enumerate(order, start=1)}
    seats = list(Seat.objects.filter(stage__competition_id=ladder_id).only("pk", "position"))
    moved = [seat for seat in seats if seat.position != position_of.get(seat.pk)]
    for seat in moved:
        seat.position = position_of.get(seat.pk)
    Seat.objects.bulk_update(moved, ["position"], batch_size=MAX_ROWS)
    PlaceChange.objects.filter(seat__stage__competition=ladder_id).delete()
    PlaceChange.objects.bulk_create(history, batch_size=MAX_ROWS)


def happenings_of(*, ladder_id: int) -> list[Happening]:
    """Return everything that moves a challenge ladder, in order: who came and left, and the results that count."""
    fixtures = Fixture.objects.filter(competition_id=ladder_id, counted_at__isnull=False, is_annulled=False)
    seat_of = dict(Seat.objects.filter(stage__competition_id=ladder_id).values_list("entry_id", "pk"))
    return sorted([*_comings_and_goings(ladder_id), *_victories_of(fixtures.iterator(), seat_of)])


def play_again(happenings: Iterable[Happening]) -> tuple[tuple[int, ...], list[PlaceChange]]:
    """Return the order of the seats after it all, and the history of their places."""
    order: tuple[int, ...] = ()
    left_from: dict[int, int] = {}
    history: list[PlaceChange] = []
    for happening in _leave_together(happenings):
        before = order
        if happening.what in {What.ENTERED, What.RETURNED}:
            old = left_from.get(happening.seat) if happening.is_remembered else None
            order = re_enter(order, happening.seat, old)
        elif happening.what == What.LEFT:
            gone = {happening.seat, *happening.together}
            left_from |= {seat: place for place, seat in enumerate(order, start=1) if seat in gone}
            order = tuple(seat for seat in order if seat not in gone)
            history += [
                PlaceChange(seat_id=seat, place=None, changed_at=happening.at)
                for seat in (happening.seat, *happening.together)
            ]
        elif happening.opponent is not None:
            order = order_after(order, happening.seat, happening.opponent, challenger_won=True)
        history += [
            PlaceChange(seat_id=seat, place=place, match_id=happening.match, changed_at=happening.at)
            for place, seat in enumerate(order, start=1)
            if place > len(before) or before[place - 1] != seat
        ]
    return order, history


def _leave_together(happenings: Iterable[Happening]) -> Iterator[Happening]:
    """Yield what happened, with those who left at one moment as one: everybody below them goes up once."""
    for (_, what), group in groupby(happenings, key=lambda each: (each.at, each.what)):
        if what == What.LEFT:
            first, *others = group
            yield replace(first, together=tuple(other.seat for other in others))
        else:
            yield from group


def _climb(group_id: int, happening: Happening) -> None:
    on_ladder = Seat.objects.filter(group_id=group_id, position__isnull=False)
    positions = dict(on_ladder.filter(pk__in=[happening.seat, happening.opponent]).values_list("pk", "position"))
    own, other = positions.get(happening.seat), positions.get(happening.opponent or 0)
    if own is None or other is None:
        return
    new = position_after(own, other, challenger_won=True)
    if new == own:
        return
    passed = list(
        on_ladder.filter(position__gte=new, position__lt=own).order_by("position").values_list("pk", flat=True)
    )
    on_ladder.filter(pk__in=passed).update(position=F("position") + 1)
    on_ladder.filter(pk=happening.seat).update(position=new)
    PlaceChange.objects.bulk_create(
        PlaceChange(seat_id=seat, place=place, match_id=happening.match, changed_at=happening.at)
        for place, seat in enumerate([happening.seat, *passed], start=new)
    )


def _challenger_has_won(fixture: Fixture) -> bool:
    points = fixture.points
    if points is None or fixture.finished_at is None or fixture.challenger_id is None:
        return False
    side = Side.YELLOW if fixture.challenger_id == fixture.yellow_id else Side.RED
    return points[side] > points[side.opponent]


def _victories_of(fixtures: Iterable[Fixture], seat_of: Mapping[int, int]) -> Iterator[Happening]:
    """Yield the counted fixtures that move the ladder; ``seat_of`` are the seats by entry id."""
    for fixture in fixtures:
        if _challenger_has_won(fixture) and fixture.finished_at is not None and fixture.challenger_id is not None:
            opponent = fixture.red_id if fixture.challenger_id == fixture.yellow_id else fixture.yellow_id
            winner, loser = seat_of[fixture.challenger_id], seat_of[opponent]
            yield Happening(fixture.finished_at, What.RESULT, fixture.pk, winner, loser, fixture.match_id)


def _comings_and_goings(ladder_id: int) -> Iterator[Happening]:
    """Yield who came onto the ladder and left it: the first of an entrant's places, and those without one."""
    changes = PlaceChange.objects.filter(seat__stage__competition=ladder_id).order_by("seat", "changed_at", "pk")
    rows = changes.values_list("seat", "changed_at", "pk", "place")
    memory = return_time(Ladder.objects.get(pk=ladder_id))
    for seat, places in groupby(rows, key=lambda row: row[0]):
        is_on, left_at = False, None
        for _, at, number, place in places:
            if place is not None and not is_on:
                coming = What.ENTERED if left_at is None else What.RETURNED
                in_time = left_at is not None and at - left_at <= memory
                yield Happening(at, coming, number, seat, is_remembered=in_time)
            elif place is None:
                yield Happening(at, What.LEFT, number, seat)
                left_at = at
            is_on = place is not None
