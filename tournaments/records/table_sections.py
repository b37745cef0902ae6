"""The order of a ladder's table in sections of a hundred rows, so that a page is found without reading the others."""

from typing import NamedTuple

from django.db.models import Q, Subquery

from database.row_counts import count_rows
from formats.protocol import Order
from tournaments.models import Seat, Stage, Standing, TableSection
from tournaments.records.groups import entrants_on_ladder

SECTION = 100
"""The number of rows of a section."""

MAX_ROW = 10**9
"""No table has more rows."""

WITHOUT_PLACE = Q(is_on_ladder=True, has_place=False)
"""Seats of those on a points ladder to whom the stored table gives no place: they come after the others."""

LEFT_WITH_PLACE = Q(is_on_ladder=False, has_place=True)
"""Seats of those who have left a points ladder since its table was made, and are still in it."""


class InSections(NamedTuple):
    """Seats with a place in the table of a ladder, how many have one, and how many rows the table has in all.

    An entrant who has left since the table was made is still in it; one who has come since is in it, too, without a
    place.
    """

    seats: list[int]
    placed: int
    total: int


def has_sections(stage: Stage) -> bool:
    """Return whether the table of a stage is kept in sections: that of a points ladder is."""
    return stage.is_endless and stage.format_spec.order is Order.RESULTS


def seats_in_sections(*, group_id: int, start: int, end: int, entrants: int | None = None) -> InSections:
    """Return the ids of the seats after the first ``start`` places up to ``end``.

    One query. Where nobody has a place the table has as many rows as there are ``entrants``, whose number is read if
    it is not given. Nobody is counted but who has left since the table was made.
    """
    start, end = min(start, MAX_ROW), min(end, MAX_ROW)
    sections = TableSection.objects.filter(group_id=group_id)
    first, last = start // SECTION, max(start, end - 1) // SECTION
    asked = Q(number__gte=first, number__lte=last)
    of_end = Q(number=Subquery(sections.order_by("-number").values("number")[:1]))
    have_left = count_rows(Seat.objects.filter(LEFT_WITH_PLACE, group_id=group_id), by="group")
    rows = sections.filter(asked | of_end).order_by("number")
    read = list(rows.values_list("number", "seats", "group__stage__competition__entrants", have_left))
    if not read:
        return InSections([], 0, entrants_on_ladder(group_id) if entrants is None else entrants)
    found = {number: part for number, part, _entrants, _left in read}
    seats = [seat for number, part in found.items() if first <= number <= last for seat in part]
    chosen = seats[start - first * SECTION : end - first * SECTION]
    number, last_part, on_ladder, left_since = read[-1]
    return InSections(chosen, number * SECTION + len(last_part), on_ladder + left_since)


def stored_sections(*, group_id: int) -> dict[int, list[int]]:
    """Return the sections of a group's table as they are stored, by number."""
    sections = TableSection.objects.filter(group_id=group_id).order_by("number")
    return dict(sections.values_list("number", "seats"))


def sections_of_rows(*, group_id: int) -> dict[int, list[int]]:
    """Return the sections that follow from the stored rows of a group's table, by number.

    Those who share a place are in the order of their seats.
    """
    placed = Standing.objects.filter(group_id=group_id, place__isnull=False).order_by("place", "seat_id")
    seats = list(placed.values_list("seat_id", flat=True))
    return {start // SECTION: seats[start : start + SECTION] for start in range(0, len(seats), SECTION)}
