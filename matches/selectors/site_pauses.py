"""Queries for pauses of the site, and the one that lasts, which the cache tells all pages."""

from collections.abc import Collection
from datetime import datetime

import structlog
from django.core.cache import cache
from django.db.models import Max, Q
from django.db.models.functions import Coalesce, Greatest

from matches.models import SitePause

MAX_LISTED = 20

CACHE_TIMEOUT = 60
"""Seconds for which pages tell of a pause of which the sweep has said nothing since."""

KEY = "site-pause"

CHANGED_AT = Greatest("noted_at", Coalesce("ends_at", "noted_at"))

logger = structlog.get_logger(__name__)


def find_site_pause() -> SitePause | None:
    """Return the pause that lasts, as the cache knows it; without a cache, none."""
    try:
        pause: SitePause | None = cache.get(KEY)
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own
        logger.warning("site_pause_not_known", error=str(error))
        return None
    return pause


def remember_site_pause(pause: SitePause) -> None:
    """Let the pages tell of a pause while it lasts, and no longer once it is over; without a cache they do not."""
    try:
        if pause.ends_at is None:
            cache.set(KEY, pause, CACHE_TIMEOUT)
        else:
            cache.delete(KEY)
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own
        logger.warning("site_pause_not_remembered", error=str(error))


def latest_site_pauses() -> list[SitePause]:
    """Return the latest pauses, the last one first."""
    return list(SitePause.objects.order_by("-begins_at")[:MAX_LISTED])


def changed_site_pauses(
    *, after: datetime | None = None, ids: Collection[int] | None = None, limit: int | None = None
) -> list[SitePause]:
    """Return the pauses that fit everything given, ``limit`` at most, with ``changed_at``: when each began or ended."""
    condition = Q() if ids is None else Q(pk__in=ids)
    if after is not None:
        condition &= Q(noted_at__gt=after) | Q(ends_at__gt=after)
    changed = SitePause.objects.filter(condition).annotate(changed_at=CHANGED_AT)
    return list(changed.order_by("changed_at", "pk")[:limit])


def last_site_pause_change() -> datetime | None:
    """Return when the last pause began or ended, ``None`` before the first."""
    return SitePause.objects.aggregate(last=Max(CHANGED_AT))["last"]
