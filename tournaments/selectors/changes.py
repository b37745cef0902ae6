"""Finding what was logged in events, for whoever tells their players and organisers at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Max, Q, QuerySet

from tournaments.models import Entry, Event, EventStatus, LogEntry
from tournaments.selectors.events import IN_EVENT, EventKind

CONCERNING = frozenset(
    {
        "announced",
        "drawn",
        "draw-undone",
        "started",
        "paused",
        "resumed",
        "round-started",
        "round-date",
        "round-cut-short",
        "round-ended",
        "finished",
        "cancelled",
    }
)
"""What concerns all players of an event. What is done to one of them is told by his matches, or was done by himself."""


class LoggedChange(NamedTuple):
    """A line of an event's log, and whom it is told; ``stored_at`` is the database's moment."""

    pk: int
    stored_at: datetime
    logged_at: datetime
    action: str
    event_id: int
    slug: str
    kind: EventKind
    players: tuple[int, ...]
    organisers: tuple[int, ...]


def logged_changes(
    *,
    after: datetime | None = None,
    ids: Collection[int] | None = None,
    player_id: int | None = None,
    limit: int | None = None,
) -> list[LoggedChange]:
    """Return the lines that fit everything given, ``limit`` at most, in the order they were stored in.

    Organisers are told every line, the players of an event those that concern them all, and nothing while it is being
    prepared. Three queries at most. Of one player no others are in ``players`` and ``organisers``.
    """
    condition = Q()
    if player_id is not None:
        condition &= _told_as_organiser(player_id) | _told_as_player(player_id)
    if ids is not None:
        condition &= Q(pk__in=ids)
    if after is not None:
        condition &= Q(stored_at__gt=after)
    lines = LogEntry.objects.filter(condition).order_by("stored_at", "pk")
    columns = ("pk", "stored_at", "logged_at", "action", "event_id", "event__slug", "event__cup", "event__status")
    rows = list(lines.values_list(*columns)[:limit])
    events = {row[4] for row in rows}
    players = _by_event(Entry.objects.filter(status__in=IN_EVENT), events, player_id)
    organisers = _by_event(Event.organisers.through.objects.all(), events, player_id)
    return [
        LoggedChange(
            pk=pk,
            stored_at=stored_at,
            logged_at=logged_at,
            action=action,
            event_id=event,
            slug=slug,
            kind=EventKind.LADDER if cup is None else EventKind.CUP,
            players=tuple(players[event]) if action in CONCERNING and status != EventStatus.DRAFT else (),
            organisers=tuple(organisers[event]),
        )
        for pk, stored_at, logged_at, action, event, slug, cup, status in rows
    ]


def last_logged() -> datetime | None:
    """Return the moment when any line was stored last, ``None`` before the first."""
    last: datetime | None = LogEntry.objects.aggregate(last=Max("stored_at"))["last"]
    return last


def _told_as_organiser(player_id: int) -> Q:
    return Q(event__in=Event.objects.filter(organisers=player_id))


def _told_as_player(player_id: int) -> Q:
    entered = Event.objects.filter(entries__player=player_id, entries__status__in=IN_EVENT)
    return Q(action__in=CONCERNING, event__in=entered.exclude(status=EventStatus.DRAFT))


def _by_event(rows: QuerySet[Any], events: Collection[int], player_id: int | None) -> dict[int, list[int]]:
    """Return the players of rows of these events, or only this player."""
    found: dict[int, list[int]] = defaultdict(list)
    if events:
        wanted = rows.filter(event__in=events) if player_id is None else rows.filter(event__in=events, player=player_id)
        for event, player in wanted.values_list("event_id", "player_id"):
            found[event].append(player)
    return found
