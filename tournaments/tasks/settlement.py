"""Tasks that settle results. Each only calls a service, and may run twice, late, and in any order."""

from celery import shared_task
from django.utils import timezone

from tournaments.running.services import settlement
from tournaments.tables.services import ratings, standings


@shared_task(name="tournaments.tasks.settle_match")
def settle_match(match_id: int) -> None:
    """Count a finished match wherever it counts."""
    settlement.settle_match(match_id=match_id, now=timezone.now())


@shared_task(name="tournaments.tasks.settle_finished")
def settle_finished() -> None:
    """Settle the finished matches that nobody has heard of."""
    settlement.settle_finished(now=timezone.now())


@shared_task(name="tournaments.tasks.recompute_standings")
def recompute_standings(group_id: int) -> None:
    """Make a group's table what its results say, if anything has changed."""
    standings.recompute_if_stale(group_id=group_id, now=timezone.now())


@shared_task(name="tournaments.tasks.recompute_stale")
def recompute_stale() -> None:
    """Recompute the tables that are still stale."""
    standings.recompute_stale(now=timezone.now())


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
