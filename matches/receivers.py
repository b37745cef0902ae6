"""Receivers of signals: matches that are over, what is forced and shall be played, and accounts that were erased."""

from datetime import datetime
from typing import Any

from celery import current_app
from django.dispatch import receiver

from matches.services.by_itself import play_all_forced
from matches.signals import match_finished, matches_finished
from players.models import Player
from players.signals import account_erased, by_itself_chosen
from web.models import IdempotentResponse

SEND_END_NOTIFICATIONS = "matches.tasks.send_end_notifications"


@receiver([match_finished, matches_finished], dispatch_uid="matches.send_end_notifications")
def queue_end_notifications(**kwargs: Any) -> None:
    """Queue the task that notifies players of finished matches; if it is lost, the sweep does its work."""
    current_app.send_task(SEND_END_NOTIFICATIONS, retry=False)


@receiver(by_itself_chosen, dispatch_uid="matches.play_all_forced")
def play_what_is_forced(*, player: Player, now: datetime, **kwargs: Any) -> None:
    """Play what waited for a player who leaves it from now on to be played by itself."""
    play_all_forced(player=player, now=now)


@receiver(account_erased, dispatch_uid="matches.forget_responses")
def forget_responses(*, player_id: int, **kwargs: Any) -> None:
    """Delete the stored responses of an erased account."""
    IdempotentResponse.objects.filter(player=player_id).delete()
