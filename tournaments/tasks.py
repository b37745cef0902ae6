"""What runs in the background: each task only calls a service, and may run twice, late, or in any order."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from tournaments.services import ratings, settlement, standings
from tournaments.services.cups import deadlines
from tournaments.services.ladders import pairing
from tournaments.services.lifecycle import starting


@shared_task(name="tournaments.tasks.settle_match")
def settle_match(match_id: int) -> None:
    """Count a finished match wherever it counts."""
    settlement.settle_match(match_id=match_id, now=timezone.now())


@shared_task(name="tournaments.tasks.settle_finished")
def settle_finished() -> None:
    """Settle the finished matches that nobody has heard of."""
    settlement.settle_finished(now=timezone.now())


@shared_task(name="tournaments.tasks.recompute_standings")
def recompute_standings(event_id: int) -> None:
    """Make an event's table what its results say, if anything has changed."""
    standings.recompute_if_wanted(event_id=event_id, now=timezone.now())


@shared_task(name="tournaments.tasks.recompute_wanted")
def recompute_wanted() -> None:
    """Recompute the tables that are still wanted."""
    standings.recompute_wanted(now=timezone.now())


@shared_task(name="tournaments.tasks.move_windows")
def move_windows() -> None:
    """Let results that are out of date leave the ladders' tables."""
    standings.move_windows(now=timezone.now())


@shared_task(name="tournaments.tasks.rate_family")
def rate_family(family: str) -> None:
    """Make the changes of rating that are due in a family of games."""
    ratings.rate_pending(family=family, now=timezone.now())


@shared_task(name="tournaments.tasks.rate_waiting")
def rate_waiting() -> None:
    """Make the changes of rating that are still due."""
    ratings.rate_waiting(now=timezone.now())


@shared_task(name="tournaments.tasks.start_event")
def start_event(event_id: int) -> None:
    """Start an event that is full or whose time has come."""
    starting.start_event_if_due(event_id=event_id, now=timezone.now())


@shared_task(name="tournaments.tasks.start_due_events")
def start_due_events() -> None:
    """Start the events that are full or whose time has come."""
    starting.start_due_events(now=timezone.now())


@shared_task(name="tournaments.tasks.end_due_rounds")
def end_due_rounds() -> None:
    """End the rounds whose time is over, as their cups want it."""
    deadlines.end_due_rounds(now=timezone.now())


@shared_task(name="tournaments.tasks.pair_ladder")
def pair_ladder(ladder_id: int) -> None:
    """Start the games that a ladder lacks."""
    pairing.pair_ladder(ladder_id=ladder_id, now=timezone.now())


@shared_task(name="tournaments.tasks.pair_ladders")
def pair_ladders() -> None:
    """Start the games that all ladders lack."""
    pairing.pair_ladders(now=timezone.now())
