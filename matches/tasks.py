"""What runs in the background: each task only calls a service, and may run twice or late."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from matches.services.answers import forget_answers
from matches.services.ending import expire_due


@shared_task(name="matches.tasks.expire_turns")
def expire_turns() -> None:
    """End the matches whose deadline has passed."""
    expire_due(now=timezone.now())


@shared_task(name="matches.tasks.forget_old_answers")
def forget_old_answers() -> None:
    """Forget answers that were kept long enough for requests to be repeated."""
    forget_answers(now=timezone.now())
