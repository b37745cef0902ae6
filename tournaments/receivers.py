"""What the tournaments do when a match is over: ask for it to be settled."""

from __future__ import annotations

from typing import Any

from celery import current_app
from django.dispatch import receiver

from matches.signals import match_finished, matches_finished

SETTLE_MATCH = "tournaments.tasks.settle_match"
SETTLE_FINISHED = "tournaments.tasks.settle_finished"


@receiver(match_finished, dispatch_uid="tournaments.settle_match")
def queue_settlement(*, match_id: int, **kwargs: Any) -> None:
    """Queue the settlement of the match; the sweep does it where this is lost."""
    current_app.send_task(SETTLE_MATCH, args=[match_id], retry=False)


@receiver(matches_finished, dispatch_uid="tournaments.settle_matches")
def queue_settlements(**kwargs: Any) -> None:
    """Queue the sweep: it settles many in one task, in the order of their ends."""
    current_app.send_task(SETTLE_FINISHED, args=[], retry=False)
