"""What moves events on in the background: each task only calls a service, and may run twice or late."""

from __future__ import annotations

from contextlib import suppress

from celery import shared_task
from django.utils import timezone

from tournaments.errors import EventNotFound
from tournaments.services.cups.deadlines import end_due_rounds
from tournaments.services.ladders import pairing
from tournaments.services.lifecycle import pausing, starting


@shared_task(name="tournaments.tasks.start_event")
def start_event(event_id: int) -> None:
    """Start an event that is full, or whose time has come."""
    with suppress(EventNotFound):
        starting.start_event_if_due(event_id=event_id, now=timezone.now())


@shared_task(name="tournaments.tasks.start_events")
def start_events() -> None:
    """Start all events that are full, or whose time has come."""
    starting.start_due_events(now=timezone.now())


@shared_task(name="tournaments.tasks.end_rounds")
def end_rounds() -> None:
    """End the matches of rounds whose time is over."""
    end_due_rounds(now=timezone.now())


@shared_task(name="tournaments.tasks.pause_saved_matches")
def pause_saved_matches() -> None:
    """Stop the clocks that vacation has saved in paused events."""
    pausing.pause_saved_matches(now=timezone.now())


@shared_task(name="tournaments.tasks.pair_ladder")
def pair_ladder(ladder_id: int) -> None:
    """Start the games that a ladder lacks."""
    with suppress(EventNotFound):
        pairing.pair_ladder(ladder_id=ladder_id, now=timezone.now())


@shared_task(name="tournaments.tasks.pair_ladders")
def pair_ladders() -> None:
    """Start the games that all ladders lack."""
    pairing.pair_ladders(now=timezone.now())
