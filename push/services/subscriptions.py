"""Subscribe devices, end their subscriptions, and store what a player wants to be told on them."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from database.named_locks import lock_names
from players.models import Player
from push.encryption import are_keys
from push.errors import DeviceNotFound
from push.models import MAX_ENDPOINT_LENGTH, PushSettings, PushSubscription
from web.errors import InvalidDetails
from web.outgoing import ForbiddenUrl, check_url
from web.written_texts import clean_name

MAX_DEVICES = 10
"""The most devices of a player; the oldest one makes room for another."""


def subscribe(
    *, player: Player, endpoint: str, p256dh: str, auth: str, name: str, now: datetime, replaces: str = ""
) -> PushSubscription:
    """Return the device with this endpoint, which tells from now on what concerns this player.

    A device that told another player is theirs no longer. One of the player's whose endpoint it ``replaces`` keeps its
    row and its name. Raises InvalidDetails.
    """
    _check(endpoint, p256dh, auth)
    digest = _digest(endpoint)
    wanted = {"endpoint": endpoint, "p256dh": p256dh, "auth": auth, "name": clean_name(name)}
    with transaction.atomic():
        lock_names([f"devices of {player.pk}", digest])
        PushSubscription.objects.filter(digest=digest).exclude(player=player).delete()
        if replaces and (before := PushSubscription.objects.filter(player=player, digest=_digest(replaces)).first()):
            PushSubscription.objects.filter(digest=digest).exclude(pk=before.pk).delete()
            PushSubscription.objects.filter(pk=before.pk).update(digest=digest)
            wanted["name"] = before.name
        device, _created = PushSubscription.objects.update_or_create(
            player=player, digest=digest, defaults=wanted, create_defaults={**wanted, "created_at": now}
        )
        kept = PushSubscription.objects.filter(player=player).order_by("-pk").values_list("pk", flat=True)[:MAX_DEVICES]
        PushSubscription.objects.filter(player=player).exclude(pk__in=list(kept)).delete()
    return device


def end_subscription(*, player: Player, device_id: int) -> None:
    """Tell nothing on a device any more. Raises DeviceNotFound."""
    if not PushSubscription.objects.filter(player=player, pk=device_id).delete()[0]:
        raise DeviceNotFound(_("You have no such device."))


def change_push_settings(*, player: Player, wishes: Mapping[str, Any]) -> PushSettings:
    """Store the given settings by their names, leave the others as they are, and return all."""
    changed, _created = PushSettings.objects.update_or_create(player=player, defaults=dict(wishes))
    return changed


def _digest(endpoint: str) -> str:
    return sha256(endpoint.encode()).hexdigest()


def _check(endpoint: str, p256dh: str, auth: str) -> None:
    faults: dict[str, list[str]] = {}
    try:
        check_url(endpoint)
    except ForbiddenUrl as error:
        faults["endpoint"] = [str(error)]
    if len(endpoint) > MAX_ENDPOINT_LENGTH:
        faults["endpoint"] = [_("This URL is too long.")]
    if not are_keys(p256dh, auth):
        faults["keys"] = [_("These are not the keys of a device.")]
    if faults:
        raise InvalidDetails(faults)
