"""Throttling of the API, by player if the player is known, else by client IP; what is left is told in headers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from web.limits.budgets import SAFE_METHODS, Allowance, Unit
from web.limits.table import REQUESTS
from web.requests.client_ip import client_network

if TYPE_CHECKING:
    from rest_framework.views import APIView


class ScopedThrottle(BaseThrottle):
    """Counts reads and writes apart; writes of a view with a ``throttle_scope`` under that scope."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Return whether the request is within the rate of its scope, and store the ``Allowance`` on the request."""
        scope = "read" if request.method in SAFE_METHODS else getattr(view, "throttle_scope", "write")
        request._request.is_counted = True  # type: ignore[attr-defined]  # noqa: SLF001
        allowance = REQUESTS[scope].of(_client(request, scope)).take()
        if allowance is None:
            return True
        self._reset = allowance.reset
        request._request.allowance = allowance  # type: ignore[attr-defined]  # noqa: SLF001
        return allowance.allowed

    def wait(self) -> float:
        """Return the seconds after which a refused request would be allowed."""
        return self._reset


def _client(request: Request, scope: str) -> str:
    """Return the player, or the client IP of a visitor; requests that create players are counted by client IP."""
    if REQUESTS[scope].unit is Unit.ACCOUNT_OR_CLIENT and request.user and request.user.is_authenticated:
        return f"player-{request.user.pk}"
    return client_network(request)


class LimitsMiddleware:
    """Adds ``RateLimit-Policy`` and ``RateLimit`` (the IETF's draft): the rate, what is left of it, for how long."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response, with the headers if the request was counted."""
        response = self.get_response(request)
        allowance = getattr(request, "allowance", None)
        if isinstance(allowance, Allowance):
            response["RateLimit-Policy"] = f'"{allowance.kind}";q={allowance.number};w={allowance.seconds}'
            response["RateLimit"] = f'"{allowance.kind}";r={allowance.left};t={round(allowance.reset)}'
        return response
