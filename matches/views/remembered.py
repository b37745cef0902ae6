"""What is made once for all who look, and kept in the cache: without a cache, each makes it again."""

from __future__ import annotations

import functools
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import structlog
from django.core.cache import cache
from django.template.engine import Engine

CACHE_TIMEOUT = 3600

CACHE_VERSION = 1
"""Raise it when what is remembered becomes another: after a release the cache still has what the one before made.

Templates need not be thought of: ``templates_version`` says that they are others.
"""

TEMPLATES = ("boards", "matches/parts")
"""Where the templates are of which remembered HTML is made, rows of moves and rolls, with all that they include."""

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


@functools.cache
def templates_version() -> str:
    """Return a hash of the templates of which remembered HTML is made: another one for each change of them."""
    found = sha256()
    for directory in Engine.get_default().dirs:
        for path in sorted(path for name in TEMPLATES for path in Path(directory, name).rglob("*.html")):
            found.update(f"{path.relative_to(directory)}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def _versioned(key: str) -> str:
    return f"{key}:{CACHE_VERSION}:{templates_version()}"
