"""The player of a request: logged in, by token, a guest, or none."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.contrib.auth import login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request

from players.models import ApiToken, Player, Scope
from players.services import create_guest
from web.limits.budgets import spend_all
from web.limits.table import REQUESTS
from web.requests.client_ip import client_network

NEW_GUESTS = "page-guests"


def current_player(request: HttpRequest | Request) -> Player | None:
    """Return the player who sends a request of a page or of the API, guests included, or ``None``."""
    return request.user if isinstance(request.user, Player) else None


def require_player(request: HttpRequest | Request) -> Player:
    """Return the player who sends a request that only players may send.

    Raises ``NotAuthenticated`` for a request of the API without a player, and ``PermissionDenied`` for a page, or for a
    token that may not read.
    """
    player = current_player(request)
    if player is None:
        if not isinstance(request, Request):
            raise PermissionDenied
        if isinstance(request.auth, ApiToken):
            raise exceptions.PermissionDenied(lacks_scope(Scope.READ))
        raise NotAuthenticated
    return player


def lacks_scope(scope: Scope) -> str:
    """Return the sentence for a token that lacks a scope."""
    return _("This token lacks the scope '%s'.") % scope.value


@contextmanager
def player_or_new_guest(request: HttpRequest, *, now: datetime) -> Iterator[Player]:
    """Yield the player who is logged in; a visitor becomes a guest, who is logged in once the block has succeeded.

    If the block is refused, no guest is created or counted. Raises ``TooManyAttempts`` where too many guests come from
    one client IP.
    """
    player = current_player(request)
    if player is not None:
        yield player
        return
    network = client_network(request)
    counted = spend_all(REQUESTS[NEW_GUESTS].of(network))
    try:
        with transaction.atomic():
            guest = create_guest(now=now, network=network)
            yield guest
    except BaseException:
        counted.forgive()
        raise
    login(request, guest)
