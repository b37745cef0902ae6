"""Who looks at a page."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth import login
from django.http import HttpRequest

from players.models import Player
from players.services import create_guest


def player_of(request: HttpRequest) -> Player | None:
    """Return the player who is logged in, guests included."""
    return request.user if isinstance(request.user, Player) else None


def player_or_new_guest(request: HttpRequest, *, now: datetime) -> Player:
    """Return the player who is logged in; a visitor becomes a guest and is logged in as one."""
    player = player_of(request)
    if player is None:
        player = create_guest(now=now)
        login(request, player)
    return player
