"""Remove entrants who leave: at once, or from a ladder when the last game is over.

Callers hold the competition's lock.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from tournaments.models import Competition, Entry, EntryStatus, Fixture
from tournaments.services.fixtures import OPEN
from tournaments.services.ladders.challenge_positions import leave_position
from tournaments.services.standings import mark_standings_stale


def go(*, entry: Entry, at: datetime, now: datetime) -> None:
    """Note that an entrant has left at a moment that may have passed: a place on a challenge ladder becomes free."""
    leave_position(entry=entry, now=at)
    entry.status, entry.left_at = EntryStatus.GONE, at
    entry.save(update_fields=["status", "left_at"])
    mark_standings_stale(competition_id=entry.competition_id, now=now)


def let_go(*, competition: Competition, now: datetime, fixtures: Iterable[Fixture] = ()) -> int:
    """Let those leave a ladder who want to and have no game running any more; return how many.

    Each leaves with the last of these results that is theirs, and otherwise now.
    """
    on_hold = list(Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.ON_HOLD).order_by("pk"))
    if not on_hold:
        return 0
    running = Fixture.objects.filter(OPEN, competition_id=competition.pk)
    busy = {key for pair in running.values_list("yellow", "red") for key in pair}
    ends: dict[int, datetime] = {}
    for fixture in fixtures:
        if fixture.finished_at is not None:
            for key in (fixture.yellow_id, fixture.red_id):
                ends[key] = max(fixture.finished_at, ends.get(key, fixture.finished_at))
    leaving = [entry for entry in on_hold if entry.pk not in busy]
    for entry in sorted(leaving, key=lambda each: (ends.get(each.pk, now), each.pk)):
        go(entry=entry, at=ends.get(entry.pk, now), now=now)
    return len(leaving)
