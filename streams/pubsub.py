"""From those who change a match to those who hold streams open: "look at match 17", and no more.

With ``REDIS_URL`` the message goes to all processes, without to this one. It may be lost: streams also look by
themselves. A Redis that is down is left alone for a while, so that no move waits for it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import redis
import redis.asyncio
import structlog
from django.conf import settings
from django.dispatch import receiver

from database.redis_connection import Connection, RedisConnection
from matches.signals import matches_changed, seeks_changed
from tournaments.signals import players_concerned

UNNAMED = "look"
MAX_NAMED = 200
PUBLISH_TIMEOUT = 0.2
FAILURE_DELAY = 5.0
"""Seconds for which nothing is sent to a Redis that did not answer."""
RECONNECT_DELAY = 1.0
LISTEN_TIMEOUT = 20.0

Hear = Callable[[str], None]

logger = structlog.get_logger(__name__)

_listeners: set[Hear] = set()


class _Outage:
    """Until when Redis is left alone, by the monotonic clock."""

    until = 0.0


@receiver(matches_changed, dispatch_uid="streams.matches_changed")
def publish_matches(match_ids: Sequence[int], **more: Any) -> None:
    """Have streams look at these matches, or at everything if none is named."""
    publish(_message("match", match_ids))


@receiver(seeks_changed, dispatch_uid="streams.seeks_changed")
def publish_seeks(seek_ids: Sequence[int], **more: Any) -> None:
    """Have streams look at these seeks."""
    publish(_message("seek", seek_ids))


@receiver(players_concerned, dispatch_uid="streams.players_concerned")
def publish_log_lines(log_ids: Sequence[int], **more: Any) -> None:
    """Have streams look at these lines of the logs of competitions."""
    publish(_message("competition", log_ids))


def publish(message: str) -> None:
    """Send a message to whoever listens; never raises for a Redis that does not answer."""
    if not settings.REDIS_URL:
        for hear in tuple(_listeners):
            hear(message)
        return
    now = time.monotonic()
    if now < _Outage.until:
        return
    try:
        line = _line(settings.REDIS_URL)
        line.tell("PUBLISH", _channel(line.database), message)
    except (redis.RedisError, OSError) as error:
        _Outage.until = now + FAILURE_DELAY
        logger.warning("change_not_published", error=str(error))


def read_message(message: str) -> tuple[str, list[int]]:
    """Return ``match``, ``seek`` or ``competition`` (lines of its log) with ids, or ``look`` with none."""
    kind, *ids = message.split()
    return kind, [int(each) for each in ids]


async def listen(hear: Hear) -> None:
    """Call ``hear`` with every message until the task is cancelled, and with ``look`` where some may have been lost."""
    if settings.REDIS_URL:
        while True:
            try:
                await _listen_to_redis(hear)
            except (redis.RedisError, OSError) as error:
                logger.warning("changes_not_received", error=str(error))
            await asyncio.sleep(RECONNECT_DELAY)
    _listeners.add(hear)
    try:
        hear(UNNAMED)
        await asyncio.Event().wait()
    finally:
        _listeners.discard(hear)


async def _listen_to_redis(hear: Hear) -> None:
    connecting = redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, health_check_interval=10)
    async with connecting as client, client.pubsub(ignore_subscribe_messages=True) as subscription:
        await subscription.subscribe(_channel(client.connection_pool.connection_kwargs.get("db") or 0))
        hear(UNNAMED)
        while True:
            message = await subscription.get_message(timeout=LISTEN_TIMEOUT)
            if message is not None:
                hear(message["data"].decode())


def _message(kind: str, ids: Sequence[int]) -> str:
    if not 0 < len(ids) <= MAX_NAMED:
        return UNNAMED
    return " ".join([kind, *map(str, ids)])


def _channel(database: int) -> str:
    """Return the channel of this site: Redis' numbered databases share their channels."""
    return f"kickabout:changes:{database}"


@cache
def _line(url: str) -> RedisConnection:
    return RedisConnection(url, patience=PUBLISH_TIMEOUT, greet=_greet)


def _greet(connection: Connection) -> None:
    """Publish to nobody, which shows whether it is allowed: what follows is not answered, and nobody waits for it."""
    connection.on_connect()
    connection.send_command("PUBLISH", f"{_channel(connection.db)}:greeting", "")
    connection.read_response()
    connection.send_command("CLIENT", "REPLY", "OFF")
