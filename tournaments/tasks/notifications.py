"""Tasks that notify players. Each only calls a service, and may run twice or late."""

from celery import shared_task
from django.utils import timezone

from tournaments.running.services import notifications


@shared_task(name="tournaments.tasks.send_news")
def send_news() -> None:
    """Notify players of news in their competitions."""
    notifications.send_news(now=timezone.now())
