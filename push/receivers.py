"""Receivers of what happens to accounts, sessions and matches."""

from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from database.clock import current_moment
from matches.signals import match_opened
from players.models import Player
from players.signals import account_erased, account_switched
from push.models import PushSettings, PushSubscription
from push.services.openings import note_opened
from push.sessions import device_of


@receiver(match_opened, dispatch_uid="push.note_opened")
def note_opening(*, player: Player, match_id: int, **kwargs: Any) -> None:
    """Note that what was pushed about a match has been opened."""
    note_opened(player=player, match_id=match_id, now=current_moment())


@receiver(account_switched, dispatch_uid="push.end_devices")
def end_devices(*, player_id: int, is_open: bool, **kwargs: Any) -> None:
    """End the subscriptions of an account that is being closed."""
    if not is_open:
        PushSubscription.objects.filter(player=player_id).delete()


@receiver(account_erased, dispatch_uid="push.erase_settings")
def erase_settings(*, player_id: int, **kwargs: Any) -> None:
    """Erase what a player wanted to be told."""
    PushSettings.objects.filter(player=player_id).delete()


@receiver(user_logged_out, dispatch_uid="push.end_device_of_session")
def end_device_of_session(*, request: HttpRequest, user: Player | None, **kwargs: Any) -> None:
    """End the subscription of the browser in which a player logs out."""
    if user is not None and (device_id := device_of(request)) is not None:
        PushSubscription.objects.filter(player=user, pk=device_id).delete()
