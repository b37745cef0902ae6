"""Publish/subscribe from the processes that change matches to those that hold streams: messages name rows to read.

With ``REDIS_URL`` a message goes to all processes, otherwise to this one. It may be lost: streams also query for
changes. After an error Redis is left alone for a while, so that no move waits for it.
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

READ_ALL = "all"
"""The message without ids: read everything that has changed."""
MAX_NAMED = 200
PUBLISH_TIMEOUT = 0.2
FAILURE_DELAY = 5.0
"""Seconds for which nothing is sent to a Redis that did not answer."""
RECONNECT_DELAY = 1.0
LISTEN_TIMEOUT = 20.0

OnMessage = Callable[[str], None]

logger = structlog.get_logger(__name__)

_listeners: set[OnMessage] = set()


class _Outage:
    """Holds until when Redis is left alone, by the monotonic clock."""

    until = 0.0


@receiver(matches_changed, dispatch_uid="streams.matches_changed")
def publish_matches(match_ids: Sequence[int], **more: Any) -> None:
    """Publish that these matches have changed, or that any may have if none is named."""
    publish(_message("match", match_ids))


@receiver(seeks_changed, dispatch_uid="streams.seeks_changed")
def publish_seeks(seek_ids: Sequence[int], **more: Any) -> None:
    """Publish that these seeks have changed."""
    publish(_message("seek", seek_ids))


@receiver(players_concerned, dispatch_uid="streams.players_concerned")
def publish_log_lines(log_ids: Sequence[int], **more: Any) -> None:
    """Publish these new lines of the logs of competitions."""
    publish(_message("competition", log_ids))


def publish(message: str) -> None:
    """Send a message to all listeners. An error of Redis is logged and not raised."""
    if not settings.REDIS_URL:
        for on_message in tuple(_listeners):
            on_message(message)
        return
    now = time.monotonic()
    if now < _Outage.until:
        return
    try:
        connection = _redis(settings.REDIS_URL)
        connection.send("PUBLISH", _channel(connection.database), message)
    except (redis.RedisError, OSError) as error:
        _Outage.until = now + FAILURE_DELAY
        logger.warning("change_not_published", error=str(error))


def read_message(message: str) -> tuple[str, list[int]]:
    """Return ``match``, ``seek`` or ``competition`` (lines of its log) with ids, or ``all`` with none."""
    kind, *ids = message.split()
    return kind, [int(each) for each in ids]


async def listen(on_message: OnMessage) -> None:
    """Call ``on_message`` with every message until the task is cancelled; with ``all`` if some may be lost."""
    if settings.REDIS_URL:
        while True:
            try:
                await _listen_to_redis(on_message)
            except (redis.RedisError, OSError) as error:
                logger.warning("changes_not_received", error=str(error))
            await asyncio.sleep(RECONNECT_DELAY)
    _listeners.add(on_message)
    try:
        on_message(READ_ALL)
        await asyncio.Event().wait()
    finally:
        _listeners.discard(on_message)


async def _listen_to_redis(on_message: OnMessage) -> None:
    connecting = redis.asyncio.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=2, health_check_interval=10)
    async with connecting as client, client.pubsub(ignore_subscribe_messages=True) as subscription:
        await subscription.subscribe(_channel(client.connection_pool.connection_kwargs.get("db") or 0))
        on_message(READ_ALL)
        while True:
            message = await subscription.get_message(timeout=LISTEN_TIMEOUT)
            if message is not None:
                on_message(message["data"].decode())


def _message(kind: str, ids: Sequence[int]) -> str:
    if not 0 < len(ids) <= MAX_NAMED:
        return READ_ALL
    return " ".join([kind, *map(str, ids)])


def _channel(database: int) -> str:
    """Return the channel of this site: Redis' numbered databases share their channels."""
    return f"kickabout:changes:{database}"


@cache
def _redis(url: str) -> RedisConnection:
    return RedisConnection(url, timeout=PUBLISH_TIMEOUT, on_connect=_check_and_silence)


def _check_and_silence(connection: Connection) -> None:
    """Publish to nobody, to check that it is allowed; then turn replies off, so that no publisher waits for one."""
    connection.on_connect()
    connection.send_command("PUBLISH", f"{_channel(connection.db)}:check", "")
    connection.read_response()
    connection.send_command("CLIENT", "REPLY", "OFF")
