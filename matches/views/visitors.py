"""Who looks at a page."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth import login
from django.http import HttpRequest

from players.addresses import client_address
from players.attempts import Limit
from players.models import Player
from players.services import create_guest

NEW_GUESTS = Limit("new-guests", number=60, seconds=3600)


def player_of(request: HttpRequest) -> Player | None:
    """Return the player who is logged in, guests included."""
    return request.user if isinstance(request.user, Player) else None


def player_or_new_guest(request: HttpRequest, *, now: datetime) -> Player:
    """Return the player who is logged in; a visitor becomes a guest and is logged in as one.

    Raises ``TooManyAttempts`` where too many guests come from one address.
    """
    player = player_of(request)
    if player is None:
        NEW_GUESTS.spend(client_address(request))
        player = create_guest(now=now)
        login(request, player)
    return player
