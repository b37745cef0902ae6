"""Receivers that queue the tasks that follow when a match is over or an account closed."""

from __future__ import annotations

from typing import Any

from celery import current_app
from django.dispatch import receiver

from matches.signals import match_finished, matches_finished
from players.signals import account_closed, account_erased
from tournaments.services.account_closures import forget_player

SETTLE_MATCH = "tournaments.tasks.settle_match"
SETTLE_FINISHED = "tournaments.tasks.settle_finished"
FINISH_CLOSING = "tournaments.tasks.finish_closing"


@receiver(match_finished, dispatch_uid="tournaments.settle_match")
def queue_settlement(*, match_id: int, **kwargs: Any) -> None:
    """Queue the settlement of the match; the sweep does it where this is lost."""
    current_app.send_task(SETTLE_MATCH, args=[match_id], retry=False)


@receiver(matches_finished, dispatch_uid="tournaments.settle_matches")
def queue_settlements(**kwargs: Any) -> None:
    """Queue the sweep: it settles many in one task, in the order of their ends."""
    current_app.send_task(SETTLE_FINISHED, args=[], retry=False)


@receiver(account_closed, dispatch_uid="tournaments.finish_closing")
def queue_closing(*, player_id: int, **kwargs: Any) -> None:
    """Queue what follows when an account is closed; the sweep does it where this is lost."""
    current_app.send_task(FINISH_CLOSING, args=[player_id], retry=False)


@receiver(account_erased, dispatch_uid="tournaments.forget_player")
def forget_erased(*, player_id: int, old_name: str, new_name: str, **kwargs: Any) -> None:
    """Forget the name of a deleted account where it is kept as text."""
    forget_player(player_id=player_id, old_name=old_name, new_name=new_name)
