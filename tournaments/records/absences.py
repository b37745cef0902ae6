"""The times when seats of a competition were empty. Reads only."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.db.models import F, Q

from formats.pairing.legs import Absence
from tournaments.models import Entry, EntryStatus

Absences = Mapping[int, Sequence[Absence[int]]]
"""The times when the places of a competition were empty, by the ids of the entries that hold them now."""


def absences_in(*, competition_id: int) -> Absences:
    """Return when entrants of a competition had withdrawn and nobody had taken their places over yet. One query."""
    rows = (
        Entry.objects.filter(Q(left_at__isnull=False) | Q(replaces__isnull=False), competition=competition_id)
        .annotate(taken_by=F("replaced_by"), taken_at=F("replaced_by__entered_at"))
        .order_by("pk")
        .values_list("pk", "status", "left_at", "taken_by", "taken_at")
    )
    successors = {key: taken_by for key, _, _, taken_by, _ in rows}
    absences: dict[int, list[Absence[int]]] = defaultdict(list)
    for key, status, left_at, _, taken_at in rows:
        if left_at is None or (status != EntryStatus.GONE and (taken_at is None or taken_at <= left_at)):
            continue
        holder = key
        while (successor := successors.get(holder)) is not None:
            holder = successor
        absences[holder].append(Absence(holder, left_at, taken_at))
    return absences
