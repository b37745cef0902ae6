"""What tells players in the background: each task only calls a service, and may run twice or late."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from tournaments.services import notifications


@shared_task(name="tournaments.tasks.send_news")
def send_news() -> None:
    """Tell players what concerns them in their competitions."""
    notifications.send_news(now=timezone.now())
