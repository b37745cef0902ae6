"""Keeping the stored tables what the results say.

Whatever changes a result says so in ``Event.standings_wanted_at``; the recomputation clears it if
nothing has changed since. So a burst of results costs one recomputation, and nothing is lost when a
worker or the broker dies: the mark stays, and a sweep finds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce

from tournaments.models import (
    Cup,
    CupFormat,
    Event,
    EventStatus,
    Fixture,
    Ladder,
    LadderSystem,
    PlaceChange,
    Standing,
)
from tournaments.selectors.events import find_cup, find_ladder
from tournaments.selectors.standings import Line, compute_table, find_first
from tournaments.services.doorbells import ring_pairing, ring_standings
from tournaments.services.standing_rows import count_lines, move_lines, read_lines

BATCH = 100
ROWS_AT_ONCE = 1000

logger = structlog.get_logger(__name__)


def want_standings(*, event_id: int, now: datetime) -> None:
    """Note that an event's table has to be made anew, and ring for it unless somebody has already."""
    event = Event.objects.filter(pk=event_id)
    if event.filter(standings_wanted_at=None).update(standings_wanted_at=now, results_version=F("results_version") + 1):
        ring_standings(event_id=event_id)
    else:
        event.update(
            standings_wanted_at=Coalesce(F("standings_wanted_at"), now), results_version=F("results_version") + 1
        )


def recompute_standings(*, event_id: int, now: datetime) -> int:
    """Make the stored table what the results say; return how many rows changed. An elimination has no such table.

    Who stands first when a cup has ended is its winner.
    Recomputations of one event follow one another; results may be counted meanwhile, and then the
    table is wanted once more.
    """
    version = Event.objects.values_list("results_version", flat=True).get(pk=event_id)
    with transaction.atomic():
        event = _lock_table(event_id)
        changed = _store(event, now) if event is not None else 0
        if isinstance(event, Cup) and event.status == EventStatus.FINISHED:
            Cup.objects.filter(pk=event_id).update(winner=find_first(event_id=event_id))
    Event.objects.filter(pk=event_id, results_version=version).update(standings_wanted_at=None)
    if Event.objects.filter(pk=event_id, standings_wanted_at__isnull=False).exists():
        ring_standings(event_id=event_id)
    elif isinstance(event, Ladder) and event.status == EventStatus.RUNNING:
        ring_pairing(ladder_id=event_id)
    return changed


def recompute_if_wanted(*, event_id: int, now: datetime) -> None:
    """Recompute a table that is wanted still: of several calls that came for one burst, the first has done it all."""
    if Event.objects.filter(pk=event_id, standings_wanted_at__isnull=False).exists():
        recompute_standings(event_id=event_id, now=now)


def recompute_wanted(*, now: datetime, limit: int = BATCH) -> int:
    """Recompute up to ``limit`` tables that are wanted, the longest wanted first; return how many were.

    One that fails stops none of the others.
    """
    done = 0
    wanted = Event.objects.filter(standings_wanted_at__isnull=False).order_by("standings_wanted_at")
    for event_id in wanted.values_list("pk", flat=True)[:limit]:
        try:
            recompute_standings(event_id=event_id, now=now)
            done += 1
        except Exception:
            logger.exception("standings_not_recomputed", event_id=event_id)
    return done


def move_windows(*, now: datetime) -> None:
    """Want the tables of the ladders whose results go out of date."""
    ladders = Ladder.objects.filter(status=EventStatus.RUNNING, system=LadderSystem.POINTS, window_days__gt=0)
    for event_id in ladders.values_list("pk", flat=True):
        want_standings(event_id=event_id, now=now)


def _lock_table(event_id: int) -> Ladder | Cup | None:
    """Lock the ladder's or the cup's own row: the event's, which settling a result needs, stays free."""
    event = Event.objects.get(pk=event_id)
    own: Ladder | Cup | None = find_ladder(event) or find_cup(event)
    if own is None or (isinstance(own, Cup) and own.format == CupFormat.ELIMINATION):
        return None
    return type(own)._default_manager.select_for_update(of=("self",), no_key=True).get(pk=event_id)  # noqa: SLF001


def _store(event: Ladder | Cup, now: datetime) -> int:
    keeps_places = not (isinstance(event, Ladder) and event.system == LadderSystem.CHALLENGE)
    # What is counted from here on is in this table or not: its places come from the next one.
    results = _results_without_history(event) if keeps_places else []
    lines = compute_table(event=event, now=now)
    stored = read_lines(event_id=event.pk)
    gone = stored.keys() - {line.entry_id for line in lines}
    changed = [line for line in lines if stored.get(line.entry_id) != line]
    counted = [line for line in changed if _has_other_results(line, stored.get(line.entry_id))]
    Standing.objects.filter(event_id=event.pk, entry__in=gone).delete()
    move_lines(lines=[line for line in changed if line.entry_id in stored])
    count_lines(event_id=event.pk, lines=counted)
    if keeps_places:
        moved = [line for line in counted if _has_moved(line, stored.get(line.entry_id))]
        _remember_places(lines, results, moved, now)
    return len(gone) + len(changed)


def _has_other_results(line: Line, before: Line | None) -> bool:
    """Return whether more than the place has changed: the entrant himself has played, not only others."""
    return before is None or before[3:] != line[3:]


def _remember_places(lines: Sequence[Line], results: Sequence[Fixture], moved: Sequence[Line], now: datetime) -> None:
    """Add the places of both players of each result to the history, dated by its end.

    ``moved`` are rows that have come to another place by what their own results are now: one of somebody who has not
    played was annulled, or has gone out of date, and is noted without a match.
    """
    place_of = {line.entry_id: line.place for line in lines}
    changes = [
        PlaceChange(entry_id=entry, place=place_of.get(entry), match_id=each.match_id, changed_at=each.finished_at)
        for each in results
        if each.finished_at is not None
        for entry in (each.yellow_id, each.red_id)
    ]
    have_played = {change.entry_id for change in changes}
    changes += [
        PlaceChange(entry_id=line.entry_id, place=line.place, changed_at=now)
        for line in moved
        if line.entry_id not in have_played
    ]
    PlaceChange.objects.bulk_create(changes, batch_size=ROWS_AT_ONCE)
    keys = [each.pk for each in results]
    for start in range(0, len(keys), ROWS_AT_ONCE):
        Fixture.objects.filter(pk__in=keys[start : start + ROWS_AT_ONCE]).update(is_in_history=True)


def _results_without_history(event: Event) -> list[Fixture]:
    """Return the results of an event after which no table has been made yet, in the order of their ends."""
    results = Fixture.objects.filter(
        event_id=event.pk, counted_at__isnull=False, is_annulled=False, is_in_history=False
    )
    return list(results.only("yellow_id", "red_id", "match_id", "finished_at").order_by("finished_at", "pk"))


def _has_moved(line: Line, before: Line | None) -> bool:
    return line.place is not None and before is not None and before.place != line.place
