"""Values that are made once for all who look, and kept in the cache: without a cache, each makes them again."""

import functools
from collections.abc import Callable, Hashable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import structlog
from django.conf import settings
from django.core.cache import cache, caches
from django.template.engine import Engine

CACHE_TIMEOUT = 3600

MAX_SHARED_AGE = 600
"""The seconds for which a part of a page is kept that nobody looks at again."""

TEMPLATES = ("boards", "matches/parts", "parts", "tournaments")
"""The folders of the templates that make remembered HTML, with all that they include; beside those of all pages."""

PACKAGES = ("formats", "matches", "players", "rules_engine", "tournaments", "web")
"""The packages with the code that says and writes what is remembered."""

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


def share(
    key: str, version: Hashable, make: Callable[[], Value], *, keeps: Callable[[Value], bool] = lambda _made: True
) -> Value:
    """Return what ``make`` returns, or has returned to another reader for the same version.

    The version was read before: what is made of later rows is never found again. One value is kept for each key, if it
    is one that it ``keeps``.
    """
    kept, key = caches["pages"], _versioned(key)
    try:
        found_version, found = kept.get(key, (None, None))
        if found_version == version:
            return found
    except Exception as error:  # noqa: BLE001 - as above
        logger.warning("not_recalled", key=key, error=repr(error))
    made = make()
    try:
        if keeps(made):
            kept.set(key, (version, made), MAX_SHARED_AGE)
    except Exception as error:  # noqa: BLE001 - as above
        logger.warning("not_remembered", key=key, error=repr(error))
    return made


@functools.cache
def content_version() -> str:
    """Return a hash of the templates and the code of which remembered values are made: each release's own.

    Nobody must remember to say that these are others now; after a release the cache still has what the one before made.
    """
    found = sha256()
    for root, path in _sources():
        found.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


def _sources() -> Iterator[tuple[Path, Path]]:
    """Yield every file of which remembered values are made, and the directory by which it is named."""
    for root in map(Path, Engine.get_default().dirs):
        for path in sorted(
            [*root.glob("*.html"), *(path for name in TEMPLATES for path in (root / name).rglob("*.html"))]
        ):
            yield root, path
    for path in sorted(path for name in PACKAGES for path in (settings.BASE_DIR / name).rglob("*.py")):
        yield settings.BASE_DIR, path


def _versioned(key: str) -> str:
    return f"{key}:{content_version()}"
