"""Throttling of pages: by player if the player is known, else by client IP."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from web.errors import TooManyAttempts
from web.limits.budgets import SAFE_METHODS, requested_by
from web.limits.table import REQUESTS
from web.pages.refusal_pages import refuse
from web.problems import API
from web.requests.client_ip import client_network


class PageRatesMiddleware:
    """Refuses requests for pages above the rates of the settings; the API counts its requests itself.

    What a request writes for others is counted too, by the services that write it (``web.limits.table``).

    It stands inside the middleware that answers static files and monitoring, so that those requests do not count.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response, or a page that says how long to wait."""
        if not request.path_info.startswith(API):
            scope = "page-read" if request.method in SAFE_METHODS else "page-write"
            try:
                REQUESTS[scope].of(_client(request)).spend()
            except TooManyAttempts as refusal:
                return refuse(request, refusal)
        with requested_by(client_network(request)):
            return self.get_response(request)


def _client(request: HttpRequest) -> str:
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        return f"player-{request.user.pk}"
    return client_network(request)
