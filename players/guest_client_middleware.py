"""Middleware that notes the client network of guests who are known by a session."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from players.models import Player
from players.services import note_client
from web.limits.allowances import SAFE_METHODS
from web.requests.client_ip import client_network


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
