"""Read devices and pushes."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import QuerySet

from players.models import DeliveryState, Player
from push.models import Push, PushSettings, PushSubscription


def devices_of(*, player: Player) -> QuerySet[PushSubscription]:
    """Return the player's devices, the newest first."""
    return PushSubscription.objects.filter(player=player)


def push_settings_of(*, player: Player) -> PushSettings:
    """Return what the player wants to be told; a new row, not stored, if the player has never changed it."""
    return PushSettings.objects.filter(player=player).first() or PushSettings(player=player)


def settings_among(players: Collection[int]) -> dict[int, PushSettings]:
    """Return the settings of these players, by their ids."""
    known = {each.player_id: each for each in PushSettings.objects.filter(player__in=players)}
    return {player: known.get(player) or PushSettings(player_id=player) for player in players}


def due_pushes(*, now: datetime) -> QuerySet[Push]:
    """Return the pushes that somebody should send now, those that have waited longest first."""
    due = Push.objects.filter(state=DeliveryState.PENDING, next_attempt_at__lte=now)
    return due.order_by("next_attempt_at", "pk").select_related("subscription__player")
