"""What the tournaments do when a match is over: ask for it to be settled."""

from __future__ import annotations

from typing import Any

from celery import current_app
from django.dispatch import receiver

from matches.signals import match_finished

SETTLE_MATCH = "tournaments.tasks.settle_match"


@receiver(match_finished, dispatch_uid="tournaments.settle_match")
def queue_settlement(*, match_id: int, **kwargs: Any) -> None:
    """Queue the settlement of the match; the sweep does it where this is lost."""
    current_app.send_task(SETTLE_MATCH, args=[match_id], retry=False)
