"""Keep the number of players of a competition, and log when it has enough to start and when it is full."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from formats.stage_plans import find_impossible_stage
from tournaments.models import Competition, CompetitionStatus, Entry, Fixture
from tournaments.office.services.log import log_action
from tournaments.records.competitions import ENTRY_NUMBERS, count_leavers
from tournaments.running.selectors.entry_conditions import count_entrants

WAITING = (CompetitionStatus.OPEN, CompetitionStatus.CLOSED)


def store_numbers(*, competition_id: int) -> None:
    """Store how many are in the competition, and how many have left it since it started.

    Callers have changed entries, and hold the competition's lock.
    """
    Competition.objects.filter(pk=competition_id).update(**ENTRY_NUMBERS)


def remove_entries(*, competition: Competition, entries: Sequence[Entry]) -> None:
    """Delete entries of a competition that has not started, and store the numbers without them."""
    keys = [each.pk for each in entries]
    # They belong to a start that was taken back.
    Fixture.objects.filter(Q(yellow__in=keys) | Q(red__in=keys), is_annulled=True).delete()
    Entry.objects.filter(pk__in=keys).delete()
    store_numbers(competition_id=competition.pk)


def store_start(*, competition: Competition, now: datetime) -> None:
    """Make a competition run from now on, and store how many are in it and have left it since, under its lock.

    By the clock of another host, who left before a start that was taken back may have left after this one.
    """
    competition.status, competition.started_at = CompetitionStatus.RUNNING, now
    numbers = {**ENTRY_NUMBERS, "leavers": count_leavers(since=now)}
    row = Competition.objects.filter(pk=competition.pk)
    row.update(status=competition.status, started_at=competition.started_at, **numbers)


def note_entrants(*, competition: Competition, new: int, now: datetime) -> None:
    """Log that with the ``new`` entrants a competition that waits for its start has become full, or could start.

    The caller holds the competition's lock.
    """
    if competition.status not in WAITING:
        return
    entrants = count_entrants(competition)
    before = entrants - new
    subject = str(entrants)
    if not competition.is_endless and not _can_start(competition, before) and _can_start(competition, entrants):
        log_action(competition=competition, action="startable", subject=subject, now=now)
    if competition.max_entrants is not None and before < competition.max_entrants <= entrants:
        log_action(competition=competition, action="full", subject=subject, now=now)


def _can_start(competition: Competition, entrants: int) -> bool:
    return find_impossible_stage(competition.all_stages, entrants) is None
