"""Throttling of pages, and of all that no view of the API counts: by player if known, else by client IP."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from web.errors import TooManyAttempts
from web.limits.budgets import SAFE_METHODS, requested_by
from web.limits.table import REQUESTS
from web.pages.refusal_pages import refuse
from web.problems import API
from web.requests.client_ip import client_network


class PageRatesMiddleware:
    """Refuses requests above the rates of the settings: all but those that a view of the API has counted itself.

    What a request writes for others is counted too, by the services that write it (``web.limits.table``).

    It stands inside the middleware that answers static files and monitoring, so that those requests do not count.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response, or what says how long to wait."""
        counts_itself = _has_throttles(request.path_info)
        refusal = None if counts_itself else _count(request)
        if refusal is not None:
            return refusal
        with requested_by(client_network(request)):
            response = self.get_response(request)
        if counts_itself and not hasattr(request, "is_counted"):
            # It was refused before it was counted, because of its token, of a right or of the format it asked for.
            return _count(request) or response
        return response


def _has_throttles(path: str) -> bool:
    """Return whether the view at a path is one of the API, and so counts its requests under the API's own rates."""
    if not path.startswith(API):
        return False
    try:
        view = resolve(path).func
    except Resolver404:
        return False
    return bool(getattr(getattr(view, "cls", None), "throttle_classes", ()))


def _count(request: HttpRequest) -> HttpResponseBase | None:
    """Count a request as one of a page. Return the refusal if it is one too many."""
    scope = "page-read" if request.method in SAFE_METHODS else "page-write"
    try:
        REQUESTS[scope].of(_client(request)).spend()
    except TooManyAttempts as refusal:
        return refuse(request, refusal)
    return None


def _client(request: HttpRequest) -> str:
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        return f"player-{request.user.pk}"
    return client_network(request)
