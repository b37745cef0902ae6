"""Who looks at a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.contrib.auth import login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest

from players.models import Player
from players.services import create_guest
from web.client_ip import client_network
from web.rate_limits import return_allowance, spend_allowance

NEW_GUESTS = "page-guests"


def current_player(request: HttpRequest) -> Player | None:
    """Return the player who is logged in, guests included."""
    return request.user if isinstance(request.user, Player) else None


def require_player(request: HttpRequest) -> Player:
    """Return the player of a page that is for those who are logged in; raises ``PermissionDenied`` without one."""
    player = current_player(request)
    if player is None:
        raise PermissionDenied
    return player


@contextmanager
def player_or_new_guest(request: HttpRequest, *, now: datetime) -> Iterator[Player]:
    """Give the player who is logged in; a visitor becomes a guest, who is logged in after what he does here.

    Where that is refused nobody has come into being, and nobody is counted. Raises ``TooManyAttempts`` where too many
    guests come from one client IP.
    """
    player = current_player(request)
    if player is not None:
        yield player
        return
    network = client_network(request)
    spend_allowance(scope=NEW_GUESTS, who=network)
    try:
        with transaction.atomic():
            guest = create_guest(now=now, network=network)
            yield guest
    except BaseException:
        return_allowance(scope=NEW_GUESTS, who=network)
        raise
    login(request, guest)
