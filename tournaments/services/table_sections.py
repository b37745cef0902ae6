"""Keep the sections of a ladder's table equal to its stored rows."""

from __future__ import annotations

from collections.abc import Mapping

from tournaments.models import TableSection
from tournaments.selectors.table_sections import stored_sections

MAX_ROWS = 250


def store_sections(*, group_id: int, sections: Mapping[int, list[int]]) -> None:
    """Make these, by number, the sections of a group's table. Only those that differ are written."""
    stored = stored_sections(group_id=group_id)
    changed = [
        TableSection(group_id=group_id, number=number, seats=seats)
        for number, seats in sections.items()
        if stored.get(number) != seats
    ]
    TableSection.objects.bulk_create(
        changed,
        batch_size=MAX_ROWS,
        update_conflicts=True,
        unique_fields=["group", "number"],
        update_fields=["seats"],
    )
    if gone := stored.keys() - sections.keys():
        TableSection.objects.filter(group_id=group_id, number__in=gone).delete()
