"""Opening and closing entry, ending an event by hand, and telling its players something."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from matches.services.adjudicating import break_off
from players.models import Player
from tournaments.errors import WrongEventStatus
from tournaments.models import ENDED, NOT_STARTED, Event, EventStatus, Fixture, Ladder, LogEntry, Round
from tournaments.selectors.events import find_cup
from tournaments.selectors.organising import check_organiser
from tournaments.services.catch_up import catch_up
from tournaments.services.cups.draws import undo_draw
from tournaments.services.doorbells import ring_start
from tournaments.services.fixtures import OPEN
from tournaments.services.locking import lock_event
from tournaments.services.log import log_action
from tournaments.services.standings import want_standings


def open_event(*, event_id: int, actor: Player | None, now: datetime) -> Event:
    """Open an event that has not started for entry and return it; a draw that was made is forgotten.

    Again has no effect. Raises ``NotAnOrganiser`` or ``WrongEventStatus``.
    """
    with transaction.atomic():
        event = _lock(event_id, actor, now)
        if event.status == EventStatus.OPEN:
            return event
        _require(event, NOT_STARTED, "Entry opens before the event starts.")
        if (cup := find_cup(event)) is not None:
            undo_draw(cup=cup, actor=actor, now=now)
        _move(event, EventStatus.OPEN)
        log_action(event=event, action="opened", actor=actor, now=now)
        ring_start(event_id=event.pk)
    return event


def close_event(*, event_id: int, actor: Player | None, now: datetime) -> Event:
    """Close the entry of an event that has not started and return it. Again has no effect.

    Raises ``NotAnOrganiser`` or ``WrongEventStatus``.
    """
    with transaction.atomic():
        event = _lock(event_id, actor, now)
        if event.status == EventStatus.CLOSED:
            return event
        _require(event, (EventStatus.OPEN,), "Only an event that is open for entry can be closed.")
        _move(event, EventStatus.CLOSED)
        log_action(event=event, action="closed", actor=actor, now=now)
    return event


def finish_event(*, event_id: int, actor: Player | None, now: datetime, reason: str = "") -> Event:
    """Finish a ladder and return it; its table stays as it is, games still going on end and count nowhere.

    Again has no effect. Raises ``NotAnOrganiser``, or ``WrongEventStatus`` for whatever is not
    a running ladder: a cup finishes by itself.
    """
    with transaction.atomic():
        event = _lock(event_id, actor, now)
        if event.status == EventStatus.FINISHED:
            return event
        _require(event, (EventStatus.RUNNING,), "Only a running event can be finished.")
        if not Ladder.objects.filter(pk=event.pk).exists():
            raise WrongEventStatus("A cup finishes by itself, with its last result. It can be cancelled.")
        _break_off_matches(event, now)
        _end(event, EventStatus.FINISHED, now)
        log_action(event=event, action="finished", actor=actor, reason=reason, now=now)
    return event


def cancel_event(*, event_id: int, actor: Player | None, now: datetime, reason: str = "") -> Event:
    """Cancel an event that has not ended and return it; matches still going on end and count nowhere.

    Again has no effect. Raises ``NotAnOrganiser`` or ``WrongEventStatus``.
    """
    with transaction.atomic():
        event = _lock(event_id, actor, now)
        if event.status == EventStatus.CANCELLED:
            return event
        if event.status in ENDED:
            raise WrongEventStatus("The event is over.")
        _break_off_matches(event, now)
        _end(event, EventStatus.CANCELLED, now)
        log_action(event=event, action="cancelled", actor=actor, reason=reason, now=now)
    return event


def announce(*, event_id: int, actor: Player, text: str, now: datetime) -> LogEntry:
    """Write something into the event's log for its players, and return the entry. Raises ``NotAnOrganiser``."""
    with transaction.atomic():
        return log_action(event=_lock(event_id, actor, now), action="announced", actor=actor, reason=text, now=now)


def _lock(event_id: int, actor: Player | None, now: datetime) -> Event:
    event = lock_event(event_id=event_id)
    check_organiser(event=event, player=actor)
    catch_up(event=event, now=now)
    return event


def _require(event: Event, statuses: tuple[EventStatus, ...], sentence: str) -> None:
    if event.status not in statuses:
        raise WrongEventStatus(sentence)


def _move(event: Event, status: EventStatus) -> None:
    event.status = status
    event.save(update_fields=["status"])


def _end(event: Event, status: EventStatus, now: datetime) -> None:
    if event.status == EventStatus.RUNNING:
        want_standings(event_id=event.pk, now=now)
    event.status, event.finished_at, event.paused_at = status, now, None
    event.save(update_fields=["status", "finished_at", "paused_at"])
    Round.objects.filter(cup_id=event.pk, started_at__isnull=False, ended_at=None).update(ended_at=now)


def _break_off_matches(event: Event, now: datetime) -> None:
    """End the matches that go on, which count nowhere then. Those that are over and wait to be counted will count."""
    open_fixtures = Fixture.objects.filter(OPEN, event_id=event.pk)
    begun = open_fixtures.values_list("match_id", flat=True)
    ended = break_off(match_ids=[match_id for match_id in begun if match_id is not None], now=now)
    open_fixtures.filter(Q(match=None) | Q(match__in=ended)).update(is_annulled=True)
