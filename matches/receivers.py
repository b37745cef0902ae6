"""What matches do themselves when one of them is over: have its players told."""

from __future__ import annotations

from typing import Any

from celery import current_app
from django.dispatch import receiver

from matches.signals import match_finished, matches_finished

TELL_ENDS = "matches.tasks.tell_ends"


@receiver([match_finished, matches_finished], dispatch_uid="matches.tell_ends")
def queue_news(**kwargs: Any) -> None:
    """Queue the task that tells players of matches that are over; the sweep does it where this is lost."""
    current_app.send_task(TELL_ENDS, retry=False)
