"""Records of challenge ladders, as their format takes them, and the positions that follow from them. Reads only."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import zip_longest

from django.db.models import QuerySet

from formats.protocol import Absence, Game, Record
from formats.protocol import Seat as SeatOnRecord
from rules_engine.values import BySide
from tournaments.models import Fixture, Group, PlaceChange, Seat


def derive_place_changes(*, ladder_id: int) -> list[PlaceChange]:
    """Return the whole history of a challenge ladder's positions, not stored, as what happened on it gives it.

    Five queries at any size.
    """
    group = Group.objects.select_related("stage__competition").get(stage__competition_id=ladder_id)
    stage = group.stage
    match_of = dict(_challenges(group).values_list("pk", "match"))
    return [
        PlaceChange(
            competition_id=ladder_id,
            seat_id=change.entrant,
            place=change.position,
            match_id=None if change.game is None else match_of[change.game],
            changed_at=change.at,
        )
        for change in stage.format_spec.position_changes(read_ladder_record(group), stage.chosen_options)
    ]


def positions_after(history: Iterable[PlaceChange]) -> dict[int, int]:
    """Return the positions to which a history has come, by the ids of seats, from the top."""
    last = {change.seat_id: change.place for change in history}
    on_ladder = ((place, seat) for seat, place in last.items() if place is not None)
    return {seat: place for place, seat in sorted(on_ladder)}


def read_ladder_record(group: Group) -> Record[int]:
    """Return the record of a ladder's group; its entrants are the ids of their seats, in the order in which they came.

    Changes of places tell who came and left. Of the matches, the challenges that count are read.
    """
    competition = group.competition
    return Record(
        seats=tuple(_read_seats(group)),
        games=tuple(_read_games(group)),
        point_table=competition.scoring,
        began_at=competition.started_at,
    )


def _read_seats(group: Group) -> Iterator[SeatOnRecord[int]]:
    changes = PlaceChange.objects.filter(seat__group=group).order_by("changed_at", "pk")
    # When each seat was taken, left, taken again, and so on.
    moments: dict[int, list[datetime]] = {}
    for seat, place, at in changes.values_list("seat", "place", "changed_at").iterator():
        was_on = len(moments.get(seat, ())) % 2 == 1
        if was_on != (place is not None):
            moments.setdefault(seat, []).append(at)
    for number, (seat, (came_at, *others)) in enumerate(moments.items(), start=1):
        absences = tuple(Absence(since, until) for since, until in zip_longest(others[::2], others[1::2]))
        yield SeatOnRecord(seat, number, absences=absences, entered_at=came_at)


def _read_games(group: Group) -> Iterator[Game[int]]:
    seat_of = dict(Seat.objects.filter(group=group).values_list("entry", "pk"))
    columns = ("pk", "yellow", "red", "challenger", "points_yellow", "points_red", "finished_at")
    for number, yellow, red, challenger, *points, ended_at in _challenges(group).values_list(*columns).iterator():
        yield Game(
            round=0,
            sides=BySide(seat_of[yellow], seat_of[red]),
            points=BySide(*points),
            ended_at=ended_at,
            challenger=seat_of[challenger],
            number=number,
        )


def _challenges(group: Group) -> QuerySet[Fixture]:
    """Return the challenges that have a result which counts."""
    return Fixture.objects.filter(group=group, challenger__isnull=False, counted_at__isnull=False, is_annulled=False)
