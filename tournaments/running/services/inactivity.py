"""Pause ladder players who have lost on time until their next act, and let those leave who do nothing for long."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import structlog
from django.utils.translation import ngettext

from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus
from tournaments.office.services.log import log_action
from tournaments.records.ladders import (
    acts_since_losses,
    inactive_entries,
    leaves_at,
    noted_losses_on_time,
    unnoted_losses_on_time,
)
from tournaments.running.services.departure import let_go

MAX_ROWS = 250

logger = structlog.get_logger(__name__)


def leave_inactive(*, competition: Competition, now: datetime, not_before: datetime | None = None) -> int:
    """Let those leave a running ladder who have done nothing on the site for too long; return how many.

    Each leaves as of the moment when it had been too long, or ``not_before`` another one; a player who has games
    running then leaves with the last of them. The caller holds the competition's lock, and has settled what is over.
    """
    if not competition.is_endless or competition.status != CompetitionStatus.RUNNING:
        return 0
    inactive = inactive_entries(competition, now)
    number = competition.first_stage.chosen_options.inactive_days
    days = ngettext("Inactive for %d day.", "Inactive for %d days.", number) % number
    if not inactive:
        return 0
    moments = {}
    for entry, since in inactive:
        at = leaves_at(competition, since) or now
        moments[entry.pk] = at if not_before is None else max(at, not_before)
        entry.status, entry.inactive_since = EntryStatus.ON_HOLD, since
        log_action(
            competition=competition,
            action="left",
            subject=str(entry),
            reason=days,
            now=moments[entry.pk],
            concerns=(entry,),
        )
    entries = [entry for entry, _ in inactive]
    Entry.objects.bulk_update(entries, ["status", "inactive_since"], batch_size=MAX_ROWS)
    logger.info("inactive_left_ladder", competition_id=competition.pk, count=len(entries))
    let_go(competition=competition, now=now, moments=moments)
    return len(entries)


def note_waiting(*, ladder: Competition, among: Collection[int] | None = None) -> None:
    """Let those wait in a ladder who have lost one of its matches on time and not acted since.

    Of all, or of some entries, by their ids. Only the matches, and what the players did, decide; so it does not matter
    when, or how often, this is asked. The caller holds the competition's lock.
    """
    unnoted = unnoted_losses_on_time(ladder, among=among)
    changed = list(Entry.objects.filter(pk__in=list(unnoted)).only("pk", "waits_since")) if unnoted else []
    for entry in changed:
        entry.waits_since = unnoted[entry.pk]
    for entry, lost_at in noted_losses_on_time(ladder, among=among):
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
