"""Letting the clocks of a running event stand still, and run on."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from matches.services import pause_competition, resume_competition
from players.models import Player
from tournaments.errors import EventNotPaused, EventPaused, WrongEventStatus
from tournaments.models import Event, EventStatus, Ladder
from tournaments.selectors.organising import check_organiser
from tournaments.services.catch_up import catch_up
from tournaments.services.cups.round_dates import move_dates
from tournaments.services.doorbells import ring_pairing
from tournaments.services.locking import lock_event
from tournaments.services.log import log_action


def pause_event(*, event_id: int, actor: Player | None, reason: str, now: datetime) -> Event:
    """Stop the clocks of an event's matches until it is resumed, and return it.

    Nobody moves, no round ends by its date, and a ladder starts no games. Matches whose time has run out before end
    first. Raises ``NotAnOrganiser``, ``WrongEventStatus`` unless it is running, or ``EventPaused``.
    """
    with transaction.atomic():
        locked = _lock_running(event_id, actor, now)
        if locked.paused_at is not None:
            raise EventPaused("The event is paused already.")
        locked.paused_at = now
        locked.save(update_fields=["paused_at"])
        pause_competition(competition=locked.pk, now=now)
        log_action(event=locked, action="paused", actor=actor, reason=reason, now=now)
    return locked


def pause_saved_matches(*, now: datetime) -> int:
    """Stop the clocks that run on in paused events; return how many.

    Of a clock that has run out before the pause, it may be that it could not be asked then whether vacation saves it.
    """
    stopped = 0
    paused = Event.objects.filter(status=EventStatus.RUNNING, paused_at__isnull=False)
    for event_id in paused.values_list("pk", flat=True):
        with transaction.atomic():
            if lock_event(event_id=event_id).paused_at is not None:
                stopped += pause_competition(competition=event_id, now=now)
    return stopped


def resume_event(*, event_id: int, actor: Player | None, reason: str, now: datetime) -> Event:
    """Let the clocks of a paused event run on with what they held, and return it.

    The dates of its rounds move by as long as they have waited, but for those set meanwhile. Raises
    ``NotAnOrganiser``, ``WrongEventStatus`` unless it is running, or ``EventNotPaused``.
    """
    with transaction.atomic():
        locked = _lock_running(event_id, actor, now)
        if locked.paused_at is None:
            raise EventNotPaused("The event is not paused.")
        move_dates(event=locked, paused_at=locked.paused_at, now=now)
        locked.paused_at = None
        locked.save(update_fields=["paused_at"])
        resume_competition(competition=locked.pk, now=now)
        log_action(event=locked, action="resumed", actor=actor, reason=reason, now=now)
        if Ladder.objects.filter(pk=locked.pk).exists():
            ring_pairing(ladder_id=locked.pk)
    return locked


def _lock_running(event_id: int, actor: Player | None, now: datetime) -> Event:
    locked = lock_event(event_id=event_id)
    check_organiser(event=locked, player=actor)
    catch_up(event=locked, now=now)
    if locked.status != EventStatus.RUNNING:
        raise WrongEventStatus("Only a running event can be paused or resumed.")
    return locked
