"""Requests: how long they took, and what they were about."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import structlog
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.operations.metrics import REQUEST_SECONDS

METHODS = {"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"}
NO_ROUTE = "none"


class MeasuringMiddleware:
    """Counts and times every request by the pattern of its address, so that numbers stay few."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The site's response."""
        begun = perf_counter()
        response = self.get_response(request)
        method = request.method if request.method in METHODS else "other"
        route = request.resolver_match.route if request.resolver_match else NO_ROUTE
        REQUEST_SECONDS.labels(method, route, response.status_code).observe(perf_counter() - begun)
        return response


class LogContextMiddleware:
    """Gives every log line of a request the ids that its address names, such as ``match_id``.

    It stands inside the middleware that gives lines their ``request_id`` and forgets both at the end.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The site's response."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        """Called by Django when it knows the view and its arguments."""
        structlog.contextvars.bind_contextvars(**ids_in(kwargs))


def ids_in(arguments: dict[str, Any]) -> dict[str, Any]:
    """Return those arguments that are ids."""
    return {name: value for name, value in arguments.items() if name.endswith("_id")}
