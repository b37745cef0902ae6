"""Middleware that notes of the players of sessions when they last did something, and the network of guests."""

from collections.abc import Callable
from http import HTTPStatus

import structlog
from django.conf import settings
from django.db import Error
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from database.clock import current_moment
from players.models import Player
from players.presence import follows
from players.services import note_act, note_client
from web.limits.budgets import SAFE_METHODS
from web.requests.client_ip import client_network

logger = structlog.get_logger(__name__)


class ActsMiddleware:
    """Notes that the player of a session has acted, unless the browser only follows what a page shows."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        response = self.get_response(request)
        # A client that is told that the database is away need not wait for a second attempt to reach it.
        is_away = response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not follows(request) and not is_away:
            _note(request)
        return response


def _note(request: HttpRequest) -> None:
    """Note the act; a database that is away must not spoil the response, and the next act is noted."""
    try:
        player = request.user
        if isinstance(player, Player):
            note_act(player=player, now=current_moment())
    except Error as error:
        logger.warning("act_not_noted", error=str(error))


class GuestClientMiddleware:
    """Notes the client network of a guest who sends something, if it has been forgotten since."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        if request.method not in SAFE_METHODS and settings.SESSION_COOKIE_NAME in request.COOKIES:
            player = request.user
            if isinstance(player, Player):
                note_client(player=player, network=client_network(request))
        return self.get_response(request)
