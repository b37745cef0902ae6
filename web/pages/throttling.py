"""Throttling of pages, and of all that no view of the API counts: by player if known, else by client IP."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from web.errors import TooManyAttempts
from web.limits.budgets import SAFE_METHODS, requested_by
from web.limits.table import REQUESTS
from web.pages.refusal_pages import refuse
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
        with requested_by(client_network(request)):
            response = self.get_response(request)
        if hasattr(request, "is_counted"):
            return response
        # There is no such page, or it was refused before it was counted, because of its token or of a right.
        return _count(request) or response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]
    ) -> HttpResponseBase | None:
        """Return the refusal of a request that is one too many, if its view does not count it itself."""
        return None if _has_throttles(view) else _count(request)


def _has_throttles(view: Callable[..., Any]) -> bool:
    """Return whether a view is one of the API, and so counts its requests under the API's own rates."""
    return bool(getattr(getattr(view, "cls", None), "throttle_classes", ()))


def _count(request: HttpRequest) -> HttpResponseBase | None:
    """Count a request as one of a page. Return the refusal if it is one too many."""
    request.is_counted = True  # type: ignore[attr-defined]
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
