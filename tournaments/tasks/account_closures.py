"""Tasks that follow when accounts are closed. Each only calls a service, and may run twice or late."""

from celery import shared_task
from django.utils import timezone

from tournaments.entries.services import account_closures


@shared_task(name="tournaments.tasks.finish_closing")
def finish_closing(player_id: int) -> None:
    """Do what is left to do about a closed account."""
    account_closures.finish_closing(player_id=player_id, now=timezone.now())


@shared_task(name="tournaments.tasks.finish_closings")
def finish_closings() -> None:
    """Do what is left to do about all closed accounts."""
    account_closures.finish_closings(now=timezone.now())
