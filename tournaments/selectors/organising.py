"""Who organises what: the one place that knows."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from players.models import Player
from tournaments.errors import NO_EVENT, EntryNotFound, EventNotFound, FixtureNotFound, NotAnOrganiser, RoundNotFound
from tournaments.models import ENDED, Cup, Entry, EntryStatus, Event, EventStatus, Fixture, Ladder, Round


def events_organised_by(*, player: Player | AnonymousUser) -> QuerySet[Event]:
    """Return the events that the player may organise: his own ones, a superuser all."""
    if not isinstance(player, Player) or not player.is_active:
        return Event.objects.none()
    if player.is_superuser:
        return Event.objects.all()
    return Event.objects.filter(organisers=player)


def may_organise(*, event: Event, player: Player | AnonymousUser) -> bool:
    """Return whether the player may organise the event."""
    return events_organised_by(player=player).filter(pk=event.pk).exists()


def may_see(*, event: Event, player: Player | AnonymousUser | None) -> bool:
    """Return whether the event exists for the player, or for a visitor: a draft does for its organisers alone."""
    if event.status != EventStatus.DRAFT:
        return True
    return player is not None and may_organise(event=event, player=player)


def check_organiser(*, event: Event, player: Player | AnonymousUser | None) -> None:
    """Raise ``NotAnOrganiser`` unless the player may organise the event; without a player it is the rules that act."""
    if player is not None and not may_organise(event=event, player=player):
        raise NotAnOrganiser("Only the organisers of this event may do this.")


def get_organised_event(*, slug: str, player: Player | AnonymousUser) -> Cup | Ladder:
    """Return the ladder or cup at this address.

    Raises ``NotAnOrganiser``, or ``EventNotFound`` where there is nothing or a draft of others.
    """
    event = Event.objects.select_related("cup", "ladder").filter(slug=slug).first()
    if event is None or not may_see(event=event, player=player):
        raise EventNotFound(NO_EVENT)
    check_organiser(event=event, player=player)
    return own_kind(event)


def own_kind(event: Event) -> Cup | Ladder:
    """Return the event as the ladder or the cup that it is."""
    kind: Cup | Ladder = event.cup if hasattr(event, "cup") else event.ladder
    return kind


def get_entry(event: Event, entry_id: int) -> Entry:
    """Return the event's entry with this number. Raises ``EntryNotFound``."""
    entry = Entry.objects.select_related("player").filter(event_id=event.pk, pk=entry_id).first()
    if entry is None:
        raise EntryNotFound("There is no such entry in this event.")
    return entry


def get_fixture(event: Event, fixture_id: int) -> Fixture:
    """Return the event's fixture with this number. Raises ``FixtureNotFound``."""
    fixtures = Fixture.objects.select_related("yellow__player", "red__player", "match", "round", "tie")
    fixture = fixtures.filter(event_id=event.pk, pk=fixture_id).first()
    if fixture is None:
        raise FixtureNotFound("There is no such match in this event.")
    return fixture


def get_round(event: Event, number: int) -> Round:
    """Return the cup's round with this number. Raises ``RoundNotFound``."""
    round_ = Round.objects.select_related("cup").filter(cup=event.pk, number=number).first()
    if round_ is None:
        raise RoundNotFound("There is no such round in this event.")
    return round_


def entries_of_closed_accounts(event: Event, *, limit: int) -> list[Entry]:
    """Return entrants of an event that goes on whose accounts were closed and whom nobody replaces, latest first."""
    if event.status in ENDED:
        return []
    closed = Entry.objects.filter(event_id=event.pk, player__is_active=False).exclude(status=EntryStatus.REPLACED)
    return list(closed.select_related("player").order_by("-player__closed_at", "-pk")[:limit])
