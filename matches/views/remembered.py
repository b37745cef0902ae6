"""What is made once for all who look, and kept in the cache: without a cache, each makes it again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import structlog
from django.core.cache import cache

CACHE_TIMEOUT = 3600

CACHE_VERSION = 1
"""Raise it when what is remembered becomes another: after a release the cache still has what the one before made."""

Value = TypeVar("Value")

logger = structlog.get_logger(__name__)


def recall(key: str, read: Callable[[Any], Value]) -> Value | None:
    """Return what is remembered by a key, as ``read`` makes it of plain values, or ``None``."""
    try:
        found = cache.get(_versioned(key))
        return None if found is None else read(found)
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own, and what is damaged has others
        logger.warning("not_recalled", key=key, error=repr(error))
        return None


def remember(key: str, value: Any) -> None:
    """Keep plain values by a key."""
    try:
        cache.set(_versioned(key), value, CACHE_TIMEOUT)
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own
        logger.warning("not_remembered", key=key, error=repr(error))


def _versioned(key: str) -> str:
    return f"{key}:{CACHE_VERSION}"
