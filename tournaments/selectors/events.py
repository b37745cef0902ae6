"""Finding events and what concerns a player in them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from django.db.models import Count, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from matches.models import Status
from players.models import Player
from tournaments.errors import NO_EVENT, EventNotFound
from tournaments.models import Cup, CupFormat, Entry, EntryStatus, Event, EventStatus, Fixture, Ladder

E = TypeVar("E", bound=Event)

IN_EVENT = (EntryStatus.ACTIVE, EntryStatus.ON_HOLD)


class EventKind(StrEnum):
    """What an event is."""

    LADDER = "ladder"
    CUP = "cup"


def find_cup(event: Event) -> Cup | None:
    """Return the event as a cup, if it is one."""
    if isinstance(event, Cup | Ladder):
        return event if isinstance(event, Cup) else None
    return Cup.objects.filter(pk=event.pk).first()


def find_ladder(event: Event) -> Ladder | None:
    """Return the event as a ladder, if it is one."""
    if isinstance(event, Cup | Ladder):
        return event if isinstance(event, Ladder) else None
    return Ladder.objects.filter(pk=event.pk).first()


def get_cup(slug: str) -> Cup:
    """Return the cup with this address, drafts included; raises ``EventNotFound``."""
    cup = _with_numbers(Cup.objects.select_related("winner__player")).filter(slug=slug).first()
    if cup is None:
        raise EventNotFound(NO_EVENT)
    return cup


def get_ladder(slug: str) -> Ladder:
    """Return the ladder with this address, drafts included; raises ``EventNotFound``."""
    ladder = _with_numbers(Ladder.objects.all()).filter(slug=slug).first()
    if ladder is None:
        raise EventNotFound(NO_EVENT)
    return ladder


def list_events(
    *,
    kind: EventKind | None = None,
    status: str | None = None,
    game: str | None = None,
    query: str = "",
    drafts: bool = False,
) -> QuerySet[Event]:
    """Return the events that fit everything given, the newest first, in one query; ``drafts`` too only if asked for.

    Each has ``entrants``, the number of those who are in it, and knows its cup or ladder.
    """
    events = _with_numbers(Event.objects.select_related("cup__winner__player", "ladder"))
    if not drafts:
        events = events.exclude(status=EventStatus.DRAFT)
    events = events.order_by("-pk")
    if kind is not None:
        events = events.filter(**{f"{kind}__isnull": False})
    if status is not None:
        events = events.filter(status=status)
    if game is not None:
        events = events.filter(game=game)
    if query:
        events = events.filter(name__icontains=query)
    return events


def open_events() -> QuerySet[Event]:
    """Return the events that players can enter now as far as their status goes, the newest first."""
    takes_latecomers = Q(ladder__isnull=False) | Q(
        cup__late_entry=True, cup__format=CupFormat.ROUND_ROBIN, cup__round_days=None
    )
    return list_events().filter(Q(status=EventStatus.OPEN) | Q(status=EventStatus.RUNNING) & takes_latecomers)


def entries_of(player: Player) -> QuerySet[Entry]:
    """Return the player's entries in events that have not ended, with event, cup or ladder, and standing."""
    return (
        Entry.objects.filter(player=player, status__in=IN_EVENT)
        .exclude(event__status__in=[EventStatus.FINISHED, EventStatus.CANCELLED, EventStatus.DRAFT])
        .select_related("event__cup", "event__ladder", "standing")
        .order_by("-event_id")
    )


def running_fixtures(player: Player) -> QuerySet[Fixture]:
    """Return the player's matches of events that are going on, those first that must be played first.

    Each has its match, event, round, and both entries with their players.
    """
    return _with_all(
        Fixture.objects.filter(Q(yellow__player=player) | Q(red__player=player), match__status=Status.PLAYING)
    ).order_by("match__deadline", "pk")


def coming_fixtures(player: Player) -> QuerySet[Fixture]:
    """Return the fixtures of rounds still to come in which the player is to meet somebody, in order."""
    return _with_all(
        Fixture.objects.filter(
            Q(yellow__player=player) | Q(red__player=player),
            match=None,
            counted_at=None,
            is_annulled=False,
            event__status=EventStatus.RUNNING,
        )
    ).order_by("round__number", "pk")


def events_due(now: datetime) -> QuerySet[Event]:
    """Return the events that start by themselves now: full ones, or their time has come; a cup needs two players."""
    return (
        _with_numbers(Event.objects.all())
        .filter(status__in=[EventStatus.OPEN, EventStatus.CLOSED])
        .filter(Q(starts_at__lte=now) | Q(starts_when_full=True, entrants__gte=F("max_entrants")))
        .filter(Q(ladder__isnull=False) | Q(entrants__gte=2))
        .order_by("pk")
    )


def count_entrants(event: Event) -> int:
    """Return how many are in the event."""
    return Entry.objects.filter(event_id=event.pk, status__in=IN_EVENT).count()


def _with_numbers(events: QuerySet[E]) -> QuerySet[E]:
    entrants = (
        Entry.objects.filter(event_id=OuterRef("pk"), status__in=IN_EVENT)
        .order_by()
        .values("event_id")
        .annotate(number=Count("pk"))
        .values("number")
    )
    return events.annotate(entrants=Coalesce(Subquery(entrants, output_field=IntegerField()), 0))


def _with_all(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    return fixtures.select_related("match", "event", "round", "yellow__player", "red__player")
