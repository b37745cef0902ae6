"""Starting events: by hand, at their time, or when they are full."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction

from players.models import Player
from tournaments.errors import WrongEventStatus
from tournaments.models import NOT_STARTED, Cup, Event, EventStatus
from tournaments.selectors.events import events_due, find_cup
from tournaments.selectors.organising import check_organiser
from tournaments.services.cups.draws import is_drawn, keep_draw, preview_draw
from tournaments.services.cups.rounds import begin_cup
from tournaments.services.doorbells import ring_pairing
from tournaments.services.locking import lock_event
from tournaments.services.log import log_action
from tournaments.services.standings import want_standings

BATCH = 50

logger = structlog.get_logger(__name__)


def start_event(*, event_id: int, actor: Player | None, now: datetime) -> Event:
    """Start an event and return it.

    A ladder looks for games; a cup is drawn, if it is not yet, and its first matches begin. Again has
    no effect. Raises ``NotAnOrganiser``, ``WrongEventStatus`` or ``TooFewEntrants``.
    """
    with transaction.atomic():
        event = lock_event(event_id=event_id)
        check_organiser(event=event, player=actor)
        if event.status == EventStatus.RUNNING:
            return event
        if event.status not in NOT_STARTED:
            raise WrongEventStatus("The event is over.")
        cup = find_cup(event)
        if cup is not None and not is_drawn(cup=cup):
            keep_draw(cup=cup, draw=preview_draw(cup=cup), actor=actor, now=now)
        event.status, event.started_at = EventStatus.RUNNING, now
        event.save(update_fields=["status", "started_at"])
        log_action(event=event, action="started", actor=actor, now=now)
        want_standings(event_id=event.pk, now=now)
        if cup is None:
            ring_pairing(ladder_id=event.pk)
        else:
            begin_cup(cup=Cup.objects.get(pk=cup.pk), now=now)
    return event


def start_event_if_due(*, event_id: int, now: datetime) -> bool:
    """Start an event whose time has come or that is full, if it can start; return whether it was due."""
    with transaction.atomic():
        lock_event(event_id=event_id)
        if not events_due(now).filter(pk=event_id).exists():
            return False
        start_event(event_id=event_id, actor=None, now=now)
    return True


def start_due_events(*, now: datetime, limit: int = BATCH) -> int:
    """Start up to ``limit`` events whose time has come or that are full; return how many this call started.

    A cup whose time has come waits for its second player. Each event has a transaction of its own,
    so that one that cannot start stops none of the others.
    """
    started = 0
    for event_id in events_due(now).values_list("pk", flat=True)[:limit]:
        try:
            started += start_event_if_due(event_id=event_id, now=now)
        except Exception:
            logger.exception("event_not_started", event_id=event_id)
    return started
