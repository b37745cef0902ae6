"""Let entrants leave, and idle ladder players wait or leave.

Callers hold the competition's lock.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

import structlog
from django.db.models import Case, F, Max, Q, QuerySet, When
from django.utils.translation import ngettext

from rules_engine.values import Side
from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, Fixture
from tournaments.models.fixture import LOST_ON_TIME
from tournaments.office.services.log import log_action
from tournaments.records.groups import first_group
from tournaments.records.ladders import IN_LADDER, acts_of_waiting, running_ladders, start_of_day
from tournaments.rounds.services.fixtures import OPEN
from tournaments.running.services.challenge_positions import leave_positions
from tournaments.running.services.ladder_seats import note_on_ladder
from tournaments.running.services.numbers import store_numbers
from tournaments.tables.services.standings import mark_standings_of

MAX_ROWS = 250

logger = structlog.get_logger(__name__)


def go(*, entries: Sequence[Entry], at: datetime, now: datetime) -> None:
    """Note that entrants of one competition left at a moment that may have passed: their places become free."""
    leave_positions(entries=entries, now=at)
    for entry in entries:
        entry.status, entry.left_at = EntryStatus.GONE, at
    Entry.objects.bulk_update(entries, ["status", "left_at", "left_as"], batch_size=MAX_ROWS)
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
    ends = _last_results(competition_id=competition.pk, entries=[each.pk for each in leaving if each.pk in dated])
    at = {
        entry.pk: max((each for each in (ends.get(entry.pk), moments.get(entry.pk)) if each is not None), default=now)
        for entry in leaving
    }
    for moment, entries in groupby(sorted(leaving, key=lambda each: at[each.pk]), key=lambda each: at[each.pk]):
        keys = [entry.pk for entry in entries]
        # Positions have moved with those who left before.
        go(entries=list(Entry.objects.filter(pk__in=keys).order_by("pk")), at=moment, now=now)
    return len(leaving)


def leave_inactive(*, competition: Competition, now: datetime, not_before: datetime | None = None) -> int:
    """Let those leave a running ladder who have done nothing on the site for too long; return how many.

    Each leaves as of the moment when it had been too long, or ``not_before`` another one; a player who has games
    running then leaves with the last of them. The caller holds the competition's lock, and has settled what is over.
    """
    if not competition.is_endless or competition.status != CompetitionStatus.RUNNING:
        return 0
    inactive = _inactive_entries(competition, now)
    number = competition.first_stage.chosen_options.inactive_days
    days = ngettext("Inactive for %d day.", "Inactive for %d days.", number) % number
    if not inactive:
        return 0
    moments = {}
    for entry, since in inactive:
        at = _leaves_at(competition, since) or now
        moments[entry.pk] = at if not_before is None else max(at, not_before)
        entry.status, entry.inactive_since = EntryStatus.ON_HOLD, since
        log_action(competition=competition, action="left", about=entry, reason=days, now=moments[entry.pk])
    entries = [entry for entry, _ in inactive]
    Entry.objects.bulk_update(entries, ["status", "inactive_since"], batch_size=MAX_ROWS)
    logger.info("inactive_left_ladder", competition_id=competition.pk, count=len(entries))
    let_go(competition=competition, now=now, moments=moments)
    return len(entries)


def ladders_left_inactive(*, player_id: int, now: datetime) -> list[int]:
    """Return the running ladders on which the player has done nothing for too long by now, in order."""
    playing = Entry.objects.filter(player=player_id, status=EntryStatus.ACTIVE).values("competition")
    ladders = running_ladders().filter(pk__in=playing).prefetch_related("stages")
    return [ladder.pk for ladder in ladders if _inactive_entries(ladder, now, player_id=player_id)]


def note_waiting(*, ladder: Competition, among: Collection[int] | None = None) -> None:
    """Let those wait in a ladder who have lost one of its matches on time and not acted since.

    Of all, or of some entries, by their ids. Only the matches, and what the players did, decide; so it does not matter
    when, or how often, this is asked. The caller holds the competition's lock.
    """
    lost = _lost_on_time(ladder, among)
    unnoted = _last_unnoted(lost)
    changed = list(Entry.objects.filter(pk__in=list(unnoted)).only("pk", "waits_since")) if unnoted else []
    for entry in changed:
        entry.waits_since = unnoted[entry.pk]
    for entry, lost_at in _last_noted(ladder, lost, among):
        since = None if lost_at is None or (entry.acted_at and entry.acted_at >= lost_at) else lost_at
        if since != entry.waits_since:
            entry.waits_since = since
            changed.append(entry)
    Entry.objects.bulk_update(changed, ["waits_since"], batch_size=MAX_ROWS)
    acts = _acts_since_losses(ladder)
    active = list(Entry.objects.filter(pk__in=list(acts)).only("pk")) if acts else []
    for entry in active:
        entry.waits_since, entry.acted_at = None, acts[entry.pk]
    Entry.objects.bulk_update(active, ["waits_since", "acted_at"], batch_size=MAX_ROWS)


def _last_results(*, competition_id: int, entries: Collection[int]) -> dict[int, datetime]:
    """Return when the last game that counts of each of these entrants ended, by entry id, if there is one."""
    results = Fixture.objects.filter(competition_id=competition_id, counted_at__isnull=False, is_annulled=False)
    ends: dict[int, datetime] = {}
    for side in Side:
        own = results.filter(**{f"{side.value}__in": entries}).order_by().values_list(side.value)
        for key, end in own.annotate(Max("finished_at")):
            ends[key] = max(end, ends.get(key, end))
    return ends


def _inactive_entries(
    ladder: Competition, now: datetime, *, player_id: int | None = None
) -> list[tuple[Entry, datetime]]:
    """Return who, or whether a player, has done nothing for longer than a running ladder waits, and since when.

    The time runs while the ladder does, from the last act or the entry, to the end of a day in UTC. Of whom no act is
    known, nobody knows that.
    """
    inactivity = _inactivity(ladder)
    if inactivity is None or ladder.started_at is None:
        return []
    until = start_of_day(now) - inactivity
    if ladder.started_at > until:
        return []
    rows = Entry.objects.filter(
        Q(acted_at=None) | Q(acted_at__lte=until),
        competition_id=ladder.pk,
        status=EntryStatus.ACTIVE,
        entered_at__lte=until,
        player__acted_at__lte=until,
        player__is_active=True,
    )
    if player_id is not None:
        rows = rows.filter(player=player_id)
    inactive = [(entry, _last_act(ladder, entry)) for entry in rows.select_related("player")]
    return sorted(inactive, key=lambda each: (each[1], each[0].pk))


def _leaves_at(ladder: Competition, since: datetime) -> datetime | None:
    """Return when somebody leaves who does nothing since a moment: at the end of a day, so that many leave together."""
    inactivity = _inactivity(ladder)
    if inactivity is None:
        return None
    over = since + inactivity
    midnight = start_of_day(over)
    return midnight if midnight == over else midnight + timedelta(days=1)


def _last_act(ladder: Competition, entry: Entry) -> datetime:
    moments = [ladder.started_at, entry.entered_at, entry.acted_at, entry.player.acted_at]
    return max(moment for moment in moments if moment is not None)


def _inactivity(ladder: Competition) -> timedelta | None:
    """Return how long players may do nothing before they leave, ``None`` for ever."""
    days = ladder.first_stage.chosen_options.inactive_days
    return timedelta(days=days) if days else None


def _last_unnoted(lost: QuerySet[Any]) -> dict[int, datetime]:
    """Return who is in the ladder, has lost on time, not acted since, and does not wait: by entry id the last loss."""
    unnoted = lost.filter(Q(acted_at=None) | Q(acted_at__lt=F("finished_at")), waits_since=None, status__in=IN_LADDER)
    return dict(unnoted.values_list("loser").annotate(Max("finished_at")))


def _last_noted(
    ladder: Competition, lost: QuerySet[Any], among: Collection[int] | None
) -> list[tuple[Entry, datetime | None]]:
    """Return who is in the ladder and waits since a loss on time, each with the last one, if there is any."""
    waiting = Entry.objects.filter(waits_since__isnull=False, competition_id=ladder.pk, status__in=IN_LADDER)
    if among is not None:
        waiting = waiting.filter(pk__in=among)
    entries = list(waiting.only("pk", "acted_at", "waits_since"))
    losses: dict[int, datetime] = {}
    if entries:
        noted = lost.filter(waits_since__isnull=False)
        losses = dict(noted.values_list("loser").annotate(Max("finished_at")))
    return [(entry, losses.get(entry.pk)) for entry in entries]


def _lost_on_time(ladder: Competition, among: Collection[int] | None) -> QuerySet[Any]:
    """Return the ladder's matches that were lost on time, each with what is known of the entry of its ``loser``."""
    is_yellow = Q(points_yellow__lt=F("points_red"))
    fields = ("id", "acted_at", "waits_since", "status")
    of_loser = {name: Case(When(is_yellow, then=F(f"yellow__{name}")), default=F(f"red__{name}")) for name in fields}
    lost = Fixture.objects.filter(LOST_ON_TIME, group=first_group(ladder.pk)).order_by()
    if among is not None:
        lost = lost.filter(Q(yellow__in=among) | Q(red__in=among))
    return lost.annotate(loser=of_loser.pop("id"), **of_loser)


def _acts_since_losses(ladder: Competition) -> dict[int, datetime]:
    """Return when those who get no new games since a loss on time have last acted since, by entry id.

    Moves are known to the moment, whatever else they did on the site to the minute.
    """
    waiting = acts_of_waiting().filter(competition_id=ladder.pk, status__in=IN_LADDER)
    rows = waiting.values_list("pk", "as_yellow", "as_red", "elsewhere")
    return {key: max(at for at in acts_of if at) for key, *acts_of in rows if any(acts_of)}
