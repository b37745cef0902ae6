"""The order of a ladder's table in sections of a hundred rows, so that a page is found without reading the others."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Q, Subquery

from tournaments.formats.protocol import Order
from tournaments.models import Stage, Standing, TableSection

SECTION = 100
"""How many rows a section has."""

MAX_ROW = 10**9
"""No table has more rows."""


class InSections(NamedTuple):
    """Seats with a place in the table of a ladder, how many have one, and whether the table is to be made again."""

    seats: list[int]
    placed: int
    is_stale: bool


def has_sections(stage: Stage) -> bool:
    """Return whether the table of a stage is kept in sections: that of a points ladder is."""
    return stage.is_endless and stage.format_spec.order is Order.RESULTS


def seats_in_sections(*, group_id: int, start: int, end: int) -> InSections:
    """Return the ids of the seats after the first ``start`` places up to ``end``. One query."""
    start, end = min(start, MAX_ROW), min(end, MAX_ROW)
    sections = TableSection.objects.filter(group_id=group_id)
    first, last = start // SECTION, max(start, end - 1) // SECTION
    asked = Q(number__gte=first, number__lte=last)
    of_end = Q(number=Subquery(sections.order_by("-number").values("number")[:1]))
    rows = sections.filter(asked | of_end).order_by("number")
    read = list(rows.values_list("number", "seats", "group__standings_stale_since"))
    if not read:
        return InSections([], 0, is_stale=False)
    found = {number: part for number, part, _stale_since in read}
    seats = [seat for number, part in found.items() if first <= number <= last for seat in part]
    number = max(found)
    is_stale = any(stale_since is not None for _number, _part, stale_since in read)
    chosen = seats[start - first * SECTION : end - first * SECTION]
    return InSections(chosen, number * SECTION + len(found[number]), is_stale)


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
