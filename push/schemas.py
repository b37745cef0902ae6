"""Devices, and what a player is told on them, in JSON."""

from datetime import datetime
from typing import TypedDict
from urllib.parse import urlsplit

from push.models import PushSettings, PushSubscription


class DeviceSchema(TypedDict):
    """A device that is told by push what concerns its player."""

    id: int
    name: str
    server: str
    """The host of the push service."""
    created_at: datetime
    last_sent_at: datetime | None
    """Null while nothing was sent."""


class PushSettingsSchema(TypedDict):
    """What a player is told on devices."""

    turns: bool
    """True if pushes say that it is the player's turn."""
    deadlines: bool
    """True if pushes come before the player's time runs out."""
    matches: bool
    """True if pushes say that a match of the player has begun or is over."""
    invitations: bool
    """True if pushes bring invitations."""
    competitions: bool
    """True if pushes bring urgent news of what the player plays in."""
    shows_names: bool
    """True if pushes name players, teams and competitions."""
    quiet_from: int | None
    """The hour in the player's time zone from which nothing is sent; null for no quiet hours."""
    quiet_until: int | None
    """The hour at which what has waited is sent."""
    server_key: str
    """The site's public key, with which a device subscribes: the `applicationServerKey` of browsers."""


def device_to_json(device: PushSubscription) -> DeviceSchema:
    """Return a device without its endpoint, which is secret."""
    return {
        "id": device.pk,
        "name": device.name,
        "server": urlsplit(device.endpoint).hostname or "",
        "created_at": device.created_at,
        "last_sent_at": device.last_sent_at,
    }


def push_settings_to_json(settings: PushSettings, *, server_key: str) -> PushSettingsSchema:
    """Return what a player is told."""
    return {
        "turns": settings.turns,
        "deadlines": settings.deadlines,
        "matches": settings.matches,
        "invitations": settings.invitations,
        "competitions": settings.competitions,
        "shows_names": settings.shows_names,
        "quiet_from": settings.quiet_from,
        "quiet_until": settings.quiet_until,
        "server_key": server_key,
    }
