"""Finding what was logged in events that concerns their players, for whoever tells them at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max, Q

from tournaments.models import Entry, EventStatus, LogEntry
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
    """A line of an event's log, and who is in the event; ``stored_at`` is the database's moment."""

    pk: int
    stored_at: datetime
    logged_at: datetime
    action: str
    event_id: int
    slug: str
    kind: EventKind
    players: tuple[int, ...]


def logged_changes(
    *,
    after: datetime | None = None,
    ids: Collection[int] | None = None,
    player_id: int | None = None,
    limit: int | None = None,
) -> list[LoggedChange]:
    """Return the concerning lines that fit everything given, ``limit`` at most, in the order they were stored in.

    Two queries at most. Of one player's events he is the only one in ``players``. Events that are being prepared are
    left out.
    """
    condition = Q(action__in=CONCERNING) & ~Q(event__status=EventStatus.DRAFT)
    if player_id is not None:
        condition &= Q(event__entries__player=player_id, event__entries__status__in=IN_EVENT)
    if ids is not None:
        condition &= Q(pk__in=ids)
    if after is not None:
        condition &= Q(stored_at__gt=after)
    lines = LogEntry.objects.filter(condition).order_by("stored_at", "pk")
    columns = ("pk", "stored_at", "logged_at", "action", "event_id", "event__slug", "event__cup")
    rows = list(lines.values_list(*columns)[:limit])
    events = {event for _pk, _stored, _logged, _action, event, *_more in rows}
    players = _players_of(events) if player_id is None else {event: [player_id] for event in events}
    return [
        LoggedChange(
            pk=pk,
            stored_at=stored_at,
            logged_at=logged_at,
            action=action,
            event_id=event,
            slug=slug,
            kind=EventKind.LADDER if cup is None else EventKind.CUP,
            players=tuple(players.get(event, ())),
        )
        for pk, stored_at, logged_at, action, event, slug, cup in rows
    ]


def last_logged() -> datetime | None:
    """Return the moment when any line was stored last, ``None`` before the first."""
    last: datetime | None = LogEntry.objects.aggregate(last=Max("stored_at"))["last"]
    return last


def _players_of(events: Collection[int]) -> dict[int, list[int]]:
    players: dict[int, list[int]] = defaultdict(list)
    if events:
        entries = Entry.objects.filter(event__in=events, status__in=IN_EVENT)
        for event, player in entries.values_list("event_id", "player_id"):
            players[event].append(player)
    return players
