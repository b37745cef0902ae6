"""Receivers of signals: matches that are over, and accounts that were erased."""

from typing import Any

from celery import current_app
from django.dispatch import receiver

from matches.signals import match_finished, matches_finished
from players.signals import account_erased
from web.models import IdempotentResponse

SEND_END_NOTIFICATIONS = "matches.tasks.send_end_notifications"


@receiver([match_finished, matches_finished], dispatch_uid="matches.send_end_notifications")
def queue_end_notifications(**kwargs: Any) -> None:
    """Queue the task that notifies players of finished matches; if it is lost, the sweep does its work."""
    current_app.send_task(SEND_END_NOTIFICATIONS, retry=False)


@receiver(account_erased, dispatch_uid="matches.forget_responses")
def forget_responses(*, player_id: int, **kwargs: Any) -> None:
    """Delete the stored responses of an erased account."""
    IdempotentResponse.objects.filter(player=player_id).delete()
