"""The connections of players who play live: how long the way to them and back is, and when they last answered.

The server measures it by the echoes of its streams. Only the cache knows; if it is lost, nothing is known until the
next echo.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

import structlog
from django.core.cache import cache

ECHO_INTERVAL = timedelta(seconds=10)
"""The time after which a stream asks for the next echo; an answer that takes longer is none."""

GONE_AFTER = timedelta(seconds=15)
"""The time without an answer after which a connection is gone."""

WAY_TIMEOUT = timedelta(seconds=30)
"""The time for which what an echo has measured is known of the ways of moves."""

KEPT = timedelta(days=1)
"""The time for which it is known when a player last answered."""

logger = structlog.get_logger(__name__)


class Connection(NamedTuple):
    """When a player last answered, and how long the last two echoes took."""

    heard_at: datetime
    way: timedelta
    way_before: timedelta

    def gone_since(self, now: datetime) -> datetime | None:
        """Return since when the connection is gone, ``None`` while it is there."""
        return self.heard_at if now - self.heard_at > GONE_AFTER else None


def note_echo(*, player_id: int, sent_at: datetime, now: datetime) -> None:
    """Remember that a player answers now what was sent then; without a cache nothing is remembered."""
    known, way = find_connections([player_id]).get(player_id), max(timedelta(0), now - sent_at)
    connection = Connection(now, way, known.way if known else way)
    try:
        cache.set(_key(player_id), tuple(connection), KEPT.total_seconds())
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own
        logger.warning("echo_not_noted", error=str(error))


def find_way(*, player_id: int, now: datetime) -> timedelta:
    """Return how long the way to a player and back is, by the quicker of the last two echoes; zero if not known."""
    connection = find_connections([player_id]).get(player_id)
    if connection is None or now - connection.heard_at > WAY_TIMEOUT:
        return timedelta(0)
    return min(connection.way, connection.way_before)


def find_connections(player_ids: Iterable[int]) -> dict[int, Connection]:
    """Return the connections of those players who have answered lately; without a cache, none."""
    by_key = {_key(player_id): player_id for player_id in player_ids}
    try:
        return {by_key[key]: Connection(*found) for key, found in cache.get_many(by_key).items()}
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own
        logger.warning("connections_not_known", error=str(error))
        return {}


def _key(player_id: int) -> str:
    return f"connection:{player_id}"
