"""How often a client may ask: by player when he is known, else by address."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import structlog
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from players.addresses import client_network
from players.errors import TooManyAttempts
from players.rates import count_request

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
        number, seconds = self.parse_rate(str(api_settings.DEFAULT_THROTTLE_RATES[scope]))
        try:
            counted = count_request(f"{scope}:{_client(request, scope)}", number=number or 0, seconds=seconds or 0)
        except Exception as error:
            if scope not in EVERYDAY:
                raise
            logger.warning("rate_not_known", error=str(error))
            return True
        self._reset = counted.reset
        request._request.allowance = Allowance(  # type: ignore[attr-defined]  # noqa: SLF001
            scope=scope,
            number=number or 0,
            seconds=seconds or 0,
            left=max(0, (number or 0) - counted.used),
            reset=max(0, round(counted.reset)),
        )
        return counted.allowed

    def wait(self) -> float:
        """The seconds after which a request that was not allowed is."""
        return self._reset


def count_page(request: HttpRequest, scope: str) -> None:
    """Count a request for a page under a scope of the API, by client IP; raises ``TooManyAttempts`` above its rate."""
    number, seconds = ScopedThrottle().parse_rate(str(api_settings.DEFAULT_THROTTLE_RATES[scope]))
    counted = count_request(f"{scope}:{client_network(request)}", number=number or 0, seconds=seconds or 0)
    if not counted.allowed:
        wait = max(1, ceil(counted.reset))
        raise TooManyAttempts(_("You have sent too many requests. Wait a moment and try again."), wait=wait)


def _client(request: Request, scope: str) -> str:
    """By player, or by address for a visitor; what makes players is always counted by address."""
    if scope in EVERYDAY and request.user and request.user.is_authenticated:
        return f"player-{request.user.pk}"
    return client_network(request._request)  # noqa: SLF001
