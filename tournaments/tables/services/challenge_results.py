"""Move players of a challenge ladder by the results of their games.

A result is applied as it comes while it is the ladder's latest. One that ended before something that
has moved the ladder since makes everything be played again, in the order in which it happened, so
that positions and their history do not depend on the order in which matches were settled. Callers
hold the competition's lock.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from django.db.models import F

from formats.pairing.challenge import opponent_beaten, position_after
from rules_engine.values import BySide
from tournaments.models import Fixture, PlaceChange, Seat
from tournaments.records.challenges import derive_place_changes, positions_after
from tournaments.records.groups import first_group_id, seats_by_entry

MAX_ROWS = 1000
MAX_CLIMBS = 10
"""More victories that come together than these are not applied one by one: everything is played again, once."""


class _Victory(NamedTuple):
    """A game that its challenger has won, by the ids of entries."""

    at: datetime
    fixture: int
    challenger: int
    opponent: int
    match: int | None


def apply_challenges(*, ladder_id: int, fixtures: Iterable[Fixture]) -> None:
    """Put challengers whose victories have been counted directly above their opponents, if they stand below."""
    victories = sorted(victory for fixture in fixtures if (victory := _victory_of(fixture)) is not None)
    if not victories:
        return
    group_id = first_group_id(competition_id=ladder_id)
    is_late = PlaceChange.objects.filter(changed_at__gte=victories[0].at, seat__group=group_id).exists()
    if is_late or len(victories) > MAX_CLIMBS:
        replay_challenges(ladder_id=ladder_id)
        return
    entrants = {entry for victory in victories for entry in (victory.challenger, victory.opponent)}
    seat_of = seats_by_entry(group_id=group_id, entries=sorted(entrants))
    for victory in victories:
        _climb(group_id, seat_of[victory.challenger], seat_of[victory.opponent], victory, ladder_id=ladder_id)


def replay_challenges(*, ladder_id: int) -> None:
    """Store the positions of a challenge ladder, and their history, as everything that happened on it gives them."""
    history = derive_place_changes(ladder_id=ladder_id)
    position_of = positions_after(history)
    seats = list(Seat.objects.filter(stage__competition_id=ladder_id).only("pk", "position"))
    moved = [seat for seat in seats if seat.position != position_of.get(seat.pk)]
    for seat in moved:
        seat.position = position_of.get(seat.pk)
    Seat.objects.bulk_update(moved, ["position"], batch_size=MAX_ROWS)
    PlaceChange.objects.filter(competition=ladder_id).delete()
    PlaceChange.objects.bulk_create(history, batch_size=MAX_ROWS)


def _climb(group_id: int, seat: int, opponent: int, victory: _Victory, *, ladder_id: int) -> None:
    on_ladder = Seat.objects.filter(group_id=group_id, position__isnull=False)
    positions = dict(on_ladder.filter(pk__in=[seat, opponent]).values_list("pk", "position"))
    own, other = positions.get(seat), positions.get(opponent)
    if own is None or other is None:
        return
    new = position_after(own, other)
    if new == own:
        return
    passed = list(
        on_ladder.filter(position__gte=new, position__lt=own).order_by("position").values_list("pk", flat=True)
    )
    on_ladder.filter(pk__in=passed).update(position=F("position") + 1)
    on_ladder.filter(pk=seat).update(position=new)
    PlaceChange.objects.bulk_create(
        PlaceChange(competition_id=ladder_id, seat_id=key, place=place, match_id=victory.match, changed_at=victory.at)
        for place, key in enumerate([seat, *passed], start=new)
    )


def _victory_of(fixture: Fixture) -> _Victory | None:
    """Return the victory of a fixture's challenger, if it was one."""
    points, ended_at, challenger = fixture.points, fixture.finished_at, fixture.challenger_id
    if points is None or ended_at is None or challenger is None:
        return None
    beaten = opponent_beaten(BySide(fixture.yellow_id, fixture.red_id), points, challenger)
    return None if beaten is None else _Victory(ended_at, fixture.pk, challenger, beaten, fixture.match_id)
