"""Keep the stored tables equal to what the results give.

Whatever changes a result says so in ``Group.standings_stale_since``; the recomputation clears it if
nothing has changed since. So a burst of results costs one recomputation, and nothing is lost when a
worker or the broker dies: the mark stays, and a sweep finds it.

The seats of a ladder are written by two: the service that makes the table notes who has a place in it, and the one that
lets an entrant leave or come back notes who is on the ladder. The second holds the competition's lock, and perhaps rows
of results that the first waits for. So the first never waits for a seat: where one is locked, the table is rolled back,
and made again once the seat is free.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import islice

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from database.isolation import attempt_each
from formats.protocol import Order
from tournaments.models import CompetitionStatus, Entry, Fixture, Group, PlaceChange, Seat, Standing
from tournaments.office.services.after_commit import notify_pairing, notify_standings, notify_tables
from tournaments.office.services.locks import lock_competition, lock_table
from tournaments.records.cups import decides_winner
from tournaments.records.groups import find_group, places_by_entry
from tournaments.records.standings import ALL_TIME, Line, compute_table, outdated_groups, window_start
from tournaments.records.table_changes import TableChanges, find_changes, is_ordered_by_database
from tournaments.records.table_sections import has_sections
from tournaments.tables.services.standing_rows import (
    count_rows,
    move_rows,
    read_lines,
    store_sections,
    write_placed,
    write_whole,
)
from tournaments.tables.services.winners import crown

BATCH = 100
MAX_ROWS = 1000


def mark_standings_stale(*, group_id: int, now: datetime) -> None:
    """Mark a group's table as stale, and queue its recomputation unless it was stale before."""
    mark_groups_stale(groups=Group.objects.filter(pk=group_id), now=now)


def mark_all_standings_stale(*, competition_id: int, now: datetime) -> None:
    """Mark the tables of all groups of a competition as stale."""
    mark_groups_stale(groups=Group.objects.filter(stage__competition_id=competition_id), now=now)


def mark_standings_of(*, entries: Collection[Entry], now: datetime) -> None:
    """Mark the tables of all groups as stale in which any of these entrants has a seat."""
    keys = [entry.pk for entry in entries]
    groups = Group.objects.filter(seats__entry__in=keys).distinct()
    mark_groups_stale(groups=Group.objects.filter(pk__in=groups.values("pk")), now=now)


def mark_groups_stale(*, groups: QuerySet[Group], now: datetime) -> None:
    """Mark the tables of groups as stale, and queue the recomputation of those that were not: two queries for any.

    Rows of several groups are marked under the lock of their competition, or else in a transaction of their own.
    """
    found = list(groups.order_by("pk").values_list("pk", "stage__competition_id", "standings_stale_since"))
    groups.update(
        standings_stale_since=Coalesce(F("standings_stale_since"), now), results_version=F("results_version") + 1
    )
    notify_tables({group_id: competition_id for group_id, competition_id, _since in found})
    for group_id, _competition_id, since in found:
        if since is None:
            notify_standings(group_id=group_id)


def recompute_standings(*, group_id: int, now: datetime, is_pairing: bool = False) -> int:
    """Make a group's stored table what the results say; return how many rows changed. A bracket has no such table.

    Nor has a competition that has not started, or a group that is taken back meanwhile. Recomputations of one group
    follow one another; results may be counted meanwhile, and then the table is stale again. The pairing of a ladder is
    queued, unless its table is made because it ``is_pairing``.
    """
    while True:
        version = Group.objects.values_list("results_version", flat=True).filter(pk=group_id).first()
        try:
            with transaction.atomic():
                group, changed = _make_table(group_id, now)
            break
        except _SeatsLockedError as locked:
            _wait_for(locked.seats)
    if group is None or version is None:
        return 0
    has_table = group.stage.format_spec.order is not Order.BRACKET
    if has_table:
        _let_winner_follow(group)
    Group.objects.filter(pk=group_id, results_version=version).update(standings_stale_since=None)
    notify_tables({group_id: group.competition.pk})
    if Group.objects.filter(pk=group_id, standings_stale_since__isnull=False).exists():
        notify_standings(group_id=group_id)
    elif group.stage.is_endless and group.competition.status == CompetitionStatus.RUNNING and not is_pairing:
        notify_pairing(ladder_id=group.competition.pk)
    return changed


class _SeatsLockedError(Exception):
    """Somebody leaves a ladder or comes back, in a transaction that has not ended yet: these are their seats."""

    def __init__(self, seats: Collection[int]) -> None:
        super().__init__(f"Locked by others: {len(seats)} seats.")
        self.seats = seats


def _wait_for(seats: Collection[int]) -> None:
    """Return when the transactions have ended that have locked seats, while nothing else is locked here."""
    with transaction.atomic():
        list(Seat.objects.filter(pk__in=seats).select_for_update(no_key=True).order_by("pk").values_list("pk"))


def _make_table(group_id: int, now: datetime) -> tuple[Group | None, int]:
    """Store a group's table, and return the group, if it still is, and how many rows changed.

    Raises ``_SeatsLockedError``.
    """
    lock_table(group_id=group_id)
    group = find_group(group_id)
    if group is None:
        return None, 0
    changes = None if group.stage.format_spec.order is Order.BRACKET else _store(group, now)
    start = window_start(group, now)
    _note_window(group, None if start == ALL_TIME else start)
    if changes is None:
        return group, 0
    _note_places(changes.noted_wrongly)
    if changes.number:
        Group.objects.filter(pk=group.pk).update(table_version=F("table_version") + 1)
    return group, changes.number


def _note_window(group: Group, since: datetime | None) -> None:
    """Note since when results count in the table that has just been stored, while nobody else can store one."""
    if group.window_since != since:
        Group.objects.filter(pk=group.pk).update(window_since=since)


def recompute_if_stale(*, group_id: int, now: datetime, is_pairing: bool = False) -> None:
    """Recompute a table if it is still stale: of several calls for one burst, the first does all the work.

    The pairing of a ladder is queued as by ``recompute_standings``.
    """
    if Group.objects.filter(pk=group_id, standings_stale_since__isnull=False).exists():
        recompute_standings(group_id=group_id, now=now, is_pairing=is_pairing)


def recompute_stale(*, now: datetime, limit: int = BATCH) -> int:
    """Recompute up to ``limit`` stale tables, those longest stale first; return how many.

    One that fails stops none of the others.
    """

    def recompute(group_id: int) -> int:
        recompute_standings(group_id=group_id, now=now)
        return 1

    stale = Group.objects.filter(standings_stale_since__isnull=False).order_by("standings_stale_since", "pk")
    keys = list(stale.values_list("pk", flat=True))
    return sum(islice(attempt_each(keys, recompute, event="standings_not_recomputed", key="group_id"), limit))


def move_windows(*, now: datetime) -> None:
    """Mark the tables of running ladders, of challenges too, as stale in which results have gone out of date."""
    if outdated := outdated_groups(now):
        mark_groups_stale(groups=Group.objects.filter(pk__in=outdated), now=now)


def _let_winner_follow(group: Group) -> None:
    """Let the winner of a cup that has ended follow from a table of the stage that gives it."""
    stage = group.stage
    if stage.is_endless or stage.competition.status != CompetitionStatus.FINISHED:
        return
    if not decides_winner(stage):
        return
    with transaction.atomic():
        stage.competition = lock_competition(competition_id=stage.competition.pk)
        if stage.competition.status == CompetitionStatus.FINISHED:
            crown(last=stage)


def _store(group: Group, now: datetime) -> TableChanges:
    group_id = group.pk
    keeps_places = group.stage.format_spec.order is not Order.POSITIONS
    # Results counted from here on are in this table or not: their places come from the next one.
    results = _results_without_history(group_id) if keeps_places else []
    in_database = group.competition.started_at is not None and is_ordered_by_database(group.stage)
    find = find_changes if in_database else compare_in_python
    changes = find(group=group, now=now)
    Standing.objects.filter(group_id=group_id, seat__in=changes.gone).delete()
    move_rows(changes.moved)
    count_rows(changes.counted, group_id=group_id)
    if has_sections(group.stage):
        store_sections(group_id=group_id)
    if keeps_places:
        remember_places(group, results, changes.noted, now)
    return changes


def compare_in_python(*, group: Group, now: datetime) -> TableChanges:
    """Return how the stored table of a group differs from what Python makes of its results."""
    lines = compute_table(group=group, now=now)
    stored = read_lines(group_id=group.pk)
    placed = {line.seat_id for line in lines if line.place is not None}
    seats = Seat.objects.filter(group=group).order_by("pk") if has_sections(group.stage) else Seat.objects.none()
    gone = stored.keys() - {line.seat_id for line in lines}
    changed = [line for line in lines if stored.get(line.seat_id) != line]
    counted = [line for line in changed if _has_other_results(line, stored.get(line.seat_id))]
    return TableChanges(
        number=len(gone) + len(changed),
        gone=list(gone),
        moved=write_placed([line for line in changed if line.seat_id in stored]),
        counted=write_whole(counted),
        noted=[
            (line.seat_id, line.place)
            for line in counted
            if line.place is not None and _has_moved(line, stored.get(line.seat_id))
        ],
        noted_wrongly=[
            seat for seat, has_place in seats.values_list("pk", "has_place") if has_place != (seat in placed)
        ],
    )


def _note_places(noted_wrongly: Sequence[int]) -> None:
    """Note of seats whether they have a place in the stored table. Raises ``_SeatsLockedError`` instead of waiting."""
    placed = Standing.objects.filter(seat=OuterRef("pk"), place__isnull=False)
    for start in range(0, len(noted_wrongly), MAX_ROWS):
        keys = noted_wrongly[start : start + MAX_ROWS]
        seats = Seat.objects.filter(pk__in=keys)
        free = seats.select_for_update(skip_locked=True, no_key=True).values_list("pk", flat=True)
        if locked := {*keys} - {*free}:
            raise _SeatsLockedError(locked)
        seats.update(has_place=Exists(placed))


def _has_other_results(line: Line, before: Line | None) -> bool:
    """Return whether more than the place has changed: the entrant has played, not only others."""
    return before is None or before[3:] != line[3:]


def remember_places(group: Group, results: Sequence[Fixture], moved: Sequence[tuple[int, int]], now: datetime) -> None:
    """Add the places of both players of each result to the history, dated by its end. The table has been stored.

    ``moved`` are seats that have come to another place, by what their own results are now: one of somebody who has not
    played was annulled, or has gone out of date, and is noted without a match.
    """
    entrants = {entry for each in results for entry in (each.yellow_id, each.red_id)}
    placed = places_by_entry(group_id=group.pk, entries=sorted(entrants)) if entrants else {}
    changes = [
        PlaceChange(
            competition_id=group.stage.competition_id,
            seat_id=placed[entry][0],
            place=placed[entry][1],
            match_id=each.match_id,
            changed_at=each.finished_at,
        )
        for each in results
        if each.finished_at is not None
        for entry in (each.yellow_id, each.red_id)
    ]
    have_played = {change.seat_id for change in changes}
    changes += [
        PlaceChange(competition_id=group.stage.competition_id, seat_id=seat_id, place=place, changed_at=now)
        for seat_id, place in moved
        if seat_id not in have_played
    ]
    PlaceChange.objects.bulk_create(changes, batch_size=MAX_ROWS)
    keys = [each.pk for each in results]
    for start in range(0, len(keys), MAX_ROWS):
        Fixture.objects.filter(pk__in=keys[start : start + MAX_ROWS]).update(is_in_history=True)


def _results_without_history(group_id: int) -> list[Fixture]:
    """Return the results of a group after which no table has been made yet, in the order of their ends."""
    results = Fixture.objects.filter(
        group_id=group_id, counted_at__isnull=False, is_annulled=False, is_in_history=False
    )
    return list(results.only("yellow_id", "red_id", "match_id", "finished_at").order_by("finished_at", "pk"))


def _has_moved(line: Line, before: Line | None) -> bool:
    return before is not None and before.place != line.place
