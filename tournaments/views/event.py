"""What the pages of ladders and of cups have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import reverse

from matches.models import Match
from matches.views.visitors import player_of
from players.models import Player
from tournaments.errors import NO_EVENT, EntryRefused, EventNotFound
from tournaments.models import ENDED, Cup, Entry, EntryStatus, EventStatus, Fixture, Ladder, LogEntry
from tournaments.selectors.entering import reasons_not_to_enter, takes_late_entries
from tournaments.selectors.events import get_cup, get_ladder, running_fixtures
from tournaments.selectors.organising import may_see
from tournaments.wording import list_facts, say_format, say_start

LATEST = 6
MOST_MATCHES = 20


@dataclass(frozen=True, slots=True)
class Doors:
    """What the viewer may do about his own entry: the addresses of the buttons, and why there are none."""

    can_enter: bool
    can_return: bool
    can_leave: bool
    asks_password: bool
    reasons: tuple[str, ...]
    log_in_first: bool


def find_event(kind: str, slug: str, viewer: Player | None) -> Cup | Ladder:
    """Return the ladder or cup at this address; a draft only to its organisers. Raises ``EventNotFound``."""
    event: Cup | Ladder = get_cup(slug) if kind == "cup" else get_ladder(slug)
    require_visible(event, viewer)
    return event


def require_visible(event: Cup | Ladder, viewer: Player | None) -> None:
    """Raise ``EventNotFound`` for a draft unless the viewer organises it."""
    if not may_see(event=event, player=viewer):
        raise EventNotFound(NO_EVENT)


def member_of(request: HttpRequest) -> Player:
    """Return who is logged in; raises ``PermissionDenied`` for a visitor."""
    player = player_of(request)
    if player is None:
        raise PermissionDenied
    return player


def event_context(request: HttpRequest, event: Cup | Ladder) -> dict[str, Any]:
    """Return what the head of an event's page needs, the viewer's own part in it, and the latest of its log."""
    player = player_of(request)
    kind = "cup" if isinstance(event, Cup) else "ladder"
    entry = find_entry(event, player)
    organisers = list(event.organisers.order_by("username"))
    return {
        "section": f"{kind}s",
        "kind": kind,
        "event": event,
        "format": say_format(event),
        "facts": list_facts(event),
        "start": say_start(event),
        "organisers": organisers,
        "organises": player is not None and (player.is_superuser or player in organisers),
        "entry": entry,
        "doors": _doors(event, player, entry),
        "enter_url": reverse(f"{kind}-enter", args=[event.slug]),
        "leave_url": reverse(f"{kind}-leave", args=[event.slug]),
        "my_matches": _my_matches(event, player) if entry else [],
        "log": list(LogEntry.objects.filter(event_id=event.pk).select_related("actor")[:LATEST]),
        "log_url": reverse(f"{kind}-log", args=[event.slug]),
        "is_over": event.status in ENDED,
    }


def find_entry(event: Cup | Ladder, player: Player | None) -> Entry | None:
    """Return the player's entry in the event with his row in the table, also after he has left."""
    if player is None:
        return None
    return Entry.objects.filter(event_id=event.pk, player=player).select_related("standing").first()


def _my_matches(event: Cup | Ladder, player: Player | None) -> list[Match]:
    if player is None:
        return []
    fixtures: list[Fixture] = list(running_fixtures(player).filter(event_id=event.pk)[:MOST_MATCHES])
    matches = []
    for fixture in fixtures:
        if fixture.match is not None:
            fixture.match.yellow, fixture.match.red = fixture.yellow.player, fixture.red.player
            matches.append(fixture.match)
    return matches


def _doors(event: Cup | Ladder, player: Player | None, entry: Entry | None) -> Doors:
    is_in = entry is not None and entry.is_in
    admits = event.status == EventStatus.OPEN or (event.status == EventStatus.RUNNING and takes_late_entries(event))
    reasons: list[EntryRefused] = []
    if player is not None and admits and not (entry is not None and entry.status == EntryStatus.ACTIVE):
        reasons = reasons_not_to_enter(event=event, player=player)
    return Doors(
        can_enter=admits and not is_in and not reasons and player is not None,
        can_return=_can_return(event, entry),
        can_leave=entry is not None and entry.status == EntryStatus.ACTIVE and event.status not in ENDED,
        asks_password=bool(event.password),
        reasons=tuple(reason.reason for reason in reasons) if not is_in else (),
        log_in_first=admits and player is None,
    )


def _can_return(event: Cup | Ladder, entry: Entry | None) -> bool:
    """Return whether the entrant gets no games now, but would if he said so."""
    if entry is None or event.status != EventStatus.RUNNING or not isinstance(event, Ladder):
        return False
    waits = entry.status == EntryStatus.ACTIVE and entry.waits_since is not None
    return waits or entry.status == EntryStatus.ON_HOLD
