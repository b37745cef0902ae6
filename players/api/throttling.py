"""How often a client may ask: by player when he is known, else by address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from players.addresses import client_address

if TYPE_CHECKING:
    from rest_framework.views import APIView

EVERYDAY = frozenset({"read", "write"})
"""The scopes that a player needs to play. The others guard against guessing and flooding."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a client may ask for: ``number`` requests of a scope in ``seconds``, ``left`` of them for ``reset`` s."""

    scope: str
    number: int
    seconds: int
    left: int
    reset: int


class ScopedThrottle(SimpleRateThrottle):
    """Counts reads and writes apart. A view with a ``throttle_scope`` has its writes counted under that."""

    def __init__(self) -> None:
        """Nothing is known before the request: its kind decides the rate."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether the request is within its rate, which the settings give by scope. Leaves an Allowance on it.

        Without a cache nobody can count: then players may play, since their clocks run, and whatever is guarded fails.
        """
        scope = "read" if request.method in SAFE_METHODS else getattr(view, "throttle_scope", "write")
        self.scope = scope
        self.rate = str(api_settings.DEFAULT_THROTTLE_RATES[scope])
        self.num_requests, self.duration = self.parse_rate(self.rate)
        try:
            allowed = super().allow_request(request, view)
        except Exception as error:
            if scope not in EVERYDAY:
                raise
            logger.warning("rate_not_known", error=str(error))
            return True
        request._request.allowance = self._allowance()  # type: ignore[attr-defined]  # noqa: SLF001
        return allowed

    def get_cache_key(self, request: Request, view: APIView) -> str:
        """By player, or by address for a visitor; what makes players is always counted by address."""
        by_player = request.user and request.user.is_authenticated and self.scope in {"read", "write"}
        who = f"player-{request.user.pk}" if by_player else client_address(request._request)  # noqa: SLF001
        return self.cache_format % {"scope": self.scope, "ident": who}

    def _allowance(self) -> Allowance:
        number, seconds = self.num_requests or 0, self.duration or 0
        oldest = self.history[-1] if self.history else self.now
        return Allowance(
            scope=str(self.scope),
            number=number,
            seconds=seconds,
            left=max(0, number - len(self.history)),
            reset=max(0, round(oldest + seconds - self.now)),
        )
