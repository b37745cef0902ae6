"""Signs of life, which workers and beat leave in the cache for ``/health/ready``."""

from time import monotonic

import structlog
from django.conf import settings
from django.core.cache import cache

MAX_SILENCE = 120
"""Seconds without a sign after which somebody is gone: sweeps are sent, and done, every few seconds."""

INTERVAL = 10.0
"""Seconds between two signs of a process."""

WORKERS, BEAT = "workers", "beat"

logger = structlog.get_logger(__name__)

_last: dict[str, float] = {}


def give_sign(who: str) -> None:
    """Leave a sign, unless this process has just left one; without a cache, none is left."""
    now = monotonic()
    if settings.BROKER_URL == settings.IN_MEMORY or now - _last.get(who, -INTERVAL) < INTERVAL:
        return
    _last[who] = now
    try:
        cache.set(_key(who, "alive"), True, MAX_SILENCE)
        cache.set(_key(who, "seen"), True, None)
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own
        logger.warning("no_sign_of_life", who=who, error=type(error).__name__)


def is_gone(who: str) -> bool:
    """Return whether somebody was there and has left no sign lately. Raises what the cache raises."""
    found = cache.get_many([_key(who, "alive"), _key(who, "seen")])
    return _key(who, "seen") in found and _key(who, "alive") not in found


def _key(who: str, what: str) -> str:
    return f"signs-of-life:{who}:{what}"
