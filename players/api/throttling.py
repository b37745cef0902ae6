"""How often a client may ask: by player when he is known, else by address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from players.addresses import client_address

if TYPE_CHECKING:
    from rest_framework.views import APIView


class ScopedThrottle(SimpleRateThrottle):
    """Counts reads and writes apart. A view with a ``throttle_scope`` has its writes counted under that."""

    def __init__(self) -> None:
        """Nothing is known before the request: its kind decides the rate."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether the request is within its rate, which the settings give by scope."""
        scope = "read" if request.method in SAFE_METHODS else getattr(view, "throttle_scope", "write")
        self.scope = scope
        self.rate = str(api_settings.DEFAULT_THROTTLE_RATES[scope])
        self.num_requests, self.duration = self.parse_rate(self.rate)
        return super().allow_request(request, view)

    def get_cache_key(self, request: Request, view: APIView) -> str:
        """By player, or by address for a visitor; what makes players is always counted by address."""
        by_player = request.user and request.user.is_authenticated and self.scope in {"read", "write"}
        who = f"player-{request.user.pk}" if by_player else client_address(request._request)  # noqa: SLF001
        return self.cache_format % {"scope": self.scope, "ident": who}
