"""Background tasks. Each only calls a service, and may run twice or late."""

from celery import shared_task

from database.clock import current_moment, read_clock
from push.services import delivery, notices


@shared_task(name="push.tasks.post_pushes")
def post_pushes() -> None:
    """Store pushes of what has changed."""
    notices.post_news(now=current_moment())


@shared_task(name="push.tasks.send_due_pushes")
def send_due_pushes() -> None:
    """Send the pushes that are due."""
    delivery.send_due(clock=read_clock)


@shared_task(name="push.tasks.clear_pushes")
def clear_pushes() -> None:
    """Give up pushes that could not be sent for a day, and forget old ones."""
    delivery.give_up_old(now=current_moment())
