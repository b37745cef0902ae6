"""Throttling of the API: by player if the player is known, else by client IP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from web.limits.allowances import SAFE_METHODS, USUAL_SCOPES, take_allowance
from web.requests.client_ip import client_network

if TYPE_CHECKING:
    from rest_framework.views import APIView


class ScopedThrottle(BaseThrottle):
    """Counts reads and writes apart; writes of a view with a ``throttle_scope`` under that scope."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Return whether the request is within the rate of its scope, and store the ``Allowance`` on the request."""
        scope = "read" if request.method in SAFE_METHODS else getattr(view, "throttle_scope", "write")
        allowance = take_allowance(scope=scope, who=_client(request, scope))
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
    if scope in USUAL_SCOPES and request.user and request.user.is_authenticated:
        return f"player-{request.user.pk}"
    return client_network(request._request)  # noqa: SLF001
