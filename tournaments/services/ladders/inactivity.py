"""Pause ladder players who have lost on time: they get no new games until their next act."""

from __future__ import annotations

from tournaments.models import Entry, Ladder
from tournaments.selectors.ladders import acts_since_losses, losses_on_time

MAX_ROWS = 250


def note_waiting(*, ladder: Ladder) -> None:
    """Let those wait, and nobody else, who have lost a match of the ladder on time and not acted since.

    Only the matches, and what the players did, decide; so it does not matter when, or how often, this is asked.
    The caller holds the competition's lock.
    """
    losses = losses_on_time(ladder)
    rows = Entry.objects.filter(competition_id=ladder.pk).only("pk", "acted_at", "waits_since")
    changed = []
    for entry in rows.filter(pk__in=list(losses)) | rows.filter(waits_since__isnull=False):
        lost_at = losses.get(entry.pk)
        since = None if lost_at is None or (entry.acted_at and entry.acted_at >= lost_at) else lost_at
        if since != entry.waits_since:
            entry.waits_since = since
            changed.append(entry)
    Entry.objects.bulk_update(changed, ["waits_since"], batch_size=MAX_ROWS)
    acts = acts_since_losses(ladder)
    active = list(Entry.objects.filter(pk__in=list(acts)).only("pk")) if acts else []
    for entry in active:
        entry.waits_since, entry.acted_at = None, acts[entry.pk]
    Entry.objects.bulk_update(active, ["waits_since", "acted_at"], batch_size=MAX_ROWS)
