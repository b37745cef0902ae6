"""What tells players in the background: each task only calls a service, and may run twice or late."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from tournaments.services import telling


@shared_task(name="tournaments.tasks.tell_news")
def tell_news() -> None:
    """Tell players what concerns them in their events."""
    telling.tell_news(now=timezone.now())
