"""Remove entrants who leave: at once, or from a ladder when the last game is over.

Callers hold the competition's lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from django.db.models import Q

from tournaments.models import Competition, Entry, EntryStatus, Fixture
from tournaments.records.ladders import last_results
from tournaments.rounds.services.fixtures import OPEN
from tournaments.running.services.challenge_positions import leave_positions
from tournaments.running.services.ladder_seats import note_on_ladder
from tournaments.running.services.numbers import store_numbers
from tournaments.tables.services.standings import mark_standings_of

MAX_ROWS = 250


def go(*, entries: Sequence[Entry], at: datetime, now: datetime) -> None:
    """Note that entrants of one competition left at a moment that may have passed: their places become free."""
    leave_positions(entries=entries, now=at)
    for entry in entries:
        entry.status, entry.left_at = EntryStatus.GONE, at
    Entry.objects.bulk_update(entries, ["status", "left_at"], batch_size=MAX_ROWS)
    note_on_ladder(entries=entries)
    store_numbers(competition_id=entries[0].competition_id)
    mark_standings_of(entries=entries, now=now)


def let_go(
    *,
    competition: Competition,
    now: datetime,
    fixtures: Iterable[Fixture] = (),
    moments: Mapping[int, datetime] | None = None,
) -> int:
    """Let those leave a ladder who want to and have no game running any more; return how many.

    With the last of these results that is theirs each leaves, or as of the moment in ``moments``, by entry id: with
    their own last result where that came later. Everybody else leaves now.
    """
    on_hold = list(Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.ON_HOLD).order_by("pk"))
    if not on_hold:
        return 0
    keys = [entry.pk for entry in on_hold]
    running = Fixture.objects.filter(OPEN, Q(yellow__in=keys) | Q(red__in=keys), competition_id=competition.pk)
    busy = {key for pair in running.values_list("yellow", "red") for key in pair}
    leaving = [entry for entry in on_hold if entry.pk not in busy]
    moments = moments or {}
    dated = {*moments, *(key for fixture in fixtures for key in (fixture.yellow_id, fixture.red_id))}
    ends = last_results(competition_id=competition.pk, entries=[each.pk for each in leaving if each.pk in dated])
    at = {
        entry.pk: max((each for each in (ends.get(entry.pk), moments.get(entry.pk)) if each is not None), default=now)
        for entry in leaving
    }
    for moment, entries in groupby(sorted(leaving, key=lambda each: at[each.pk]), key=lambda each: at[each.pk]):
        keys = [entry.pk for entry in entries]
        # Positions have moved with those who left before.
        go(entries=list(Entry.objects.filter(pk__in=keys).order_by("pk")), at=moment, now=now)
    return len(leaving)
