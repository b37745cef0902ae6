"""What matches do themselves when one of them is over, or an account deleted."""

from __future__ import annotations

from typing import Any

from celery import current_app
from django.dispatch import receiver

from matches.signals import match_finished, matches_finished
from players.signals import account_erased
from web.models import IdempotentResponse

TELL_ENDS = "matches.tasks.send_end_notifications"


@receiver([match_finished, matches_finished], dispatch_uid="matches.send_end_notifications")
def queue_news(**kwargs: Any) -> None:
    """Queue the task that tells players of matches that are over; the sweep does it where this is lost."""
    current_app.send_task(TELL_ENDS, retry=False)


@receiver(account_erased, dispatch_uid="matches.forget_responses")
def forget_responses(*, player_id: int, **kwargs: Any) -> None:
    """Forget what the requests of a deleted account were answered."""
    IdempotentResponse.objects.filter(player=player_id).delete()
