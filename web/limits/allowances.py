"""Rate limits of each client; the rates by scope are ``DEFAULT_THROTTLE_RATES`` in the settings."""

from dataclasses import dataclass
from math import ceil

import structlog
from django.http import HttpRequest
from django.utils.translation import ngettext
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from web.errors import TooManyAttempts
from web.limits.request_counts import count_request, forget_last_request
from web.requests.client_ip import client_network

USUAL_SCOPES = frozenset({"read", "write", "page-read", "page-write"})
"""The scopes that a player needs to play. The others guard against guessing and flooding."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""HTTP methods that only read."""

SHORT_DELAY = 120
"""Seconds up to which a wait is given in seconds, and above in minutes."""

logger = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Allowance:
    """A client's rate: ``number`` requests of a scope in ``seconds``, of which ``left`` remain for ``reset`` seconds.

    The request was ``allowed`` and counted, or refused and not counted.
    """

    scope: str
    number: int
    seconds: int
    left: int
    reset: float
    allowed: bool


def take_allowance(*, scope: str, who: str) -> Allowance | None:
    """Count a request of a client under a scope, if its rate allows; return ``None`` if the cache is down.

    Without a cache players may play on, because their clocks run; for scopes that guard something the error is raised.
    """
    number, seconds = _rate_of(scope)
    try:
        counted = count_request(f"{scope}:{who}", number=number, seconds=seconds)
    except Exception as error:
        if scope not in USUAL_SCOPES:
            raise
        logger.warning("rate_not_known", error=str(error))
        return None
    return Allowance(scope, number, seconds, max(0, number - counted.used), max(0.0, counted.reset), counted.allowed)


def spend_allowance(*, scope: str, who: str) -> None:
    """Count a request under a scope. Raises ``TooManyAttempts``, and counts nothing, above its rate."""
    allowance = take_allowance(scope=scope, who=who)
    if allowance is not None and not allowance.allowed:
        wait = max(1, ceil(allowance.reset))
        raise TooManyAttempts(_sentence(wait), wait=wait)


def return_allowance(*, scope: str, who: str) -> None:
    """Remove the last request from the count of a scope, because it was refused for another reason."""
    _number, seconds = _rate_of(scope)
    forget_last_request(f"{scope}:{who}", seconds=seconds)


def spend_page_allowance(request: HttpRequest, scope: str) -> None:
    """Count a request for a page under a scope, by client IP; raises ``TooManyAttempts`` above its rate."""
    spend_allowance(scope=scope, who=client_network(request))


def _sentence(wait: int) -> str:
    if wait < SHORT_DELAY:
        sentence = ngettext(
            "You have sent too many requests. Wait %(number)d second, then try again.",
            "You have sent too many requests. Wait %(number)d seconds, then try again.",
            wait,
        )
        return sentence % {"number": wait}
    minutes = ceil(wait / 60)
    sentence = ngettext(
        "You have sent too many requests. Wait %(number)d minute, then try again.",
        "You have sent too many requests. Wait %(number)d minutes, then try again.",
        minutes,
    )
    return sentence % {"number": minutes}


def _rate_of(scope: str) -> tuple[int, int]:
    """Return the number of requests that the settings allow, and in how many seconds."""
    number, seconds = _READER.parse_rate(str(api_settings.DEFAULT_THROTTLE_RATES[scope]))
    return number or 0, seconds or 0


class _RateReader(SimpleRateThrottle):
    """Parses rates in the format of REST framework."""

    def __init__(self) -> None:
        """No scope of its own."""


_READER = _RateReader()
