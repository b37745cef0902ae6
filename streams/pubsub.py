"""Publish/subscribe from the processes that change matches to those that hold streams: messages name rows to read.

A message goes to those who have subscribed to a topic that it concerns, or to all: with ``REDIS_URL`` in
all processes, otherwise in this one. It may be lost: streams also query for changes. After an error or a slow
publication Redis is left alone for a while, so that no move waits for it. On one channel for all, every process would
read every match of the site that changes.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import structlog
from django.conf import settings
from django.dispatch import receiver

from matches.signals import Topic, matches_changed, rows_changed

if TYPE_CHECKING:
    from database.redis_connection import RedisConnection

READ_ALL = "all"
"""The message without ids: read everything that has changed."""
MAX_NAMED = 200
MAX_TOPICS = 40
"""A message of more topics than these is sent once, to all."""
CONFIRM_TIMEOUT = 1.0
"""Seconds for which a stream waits at most until its subscription has been confirmed."""
PUBLISH_TIMEOUT = 0.2
"""Seconds that Redis has for each reply, and for the whole of a publication before it counts as slow."""
FAILURE_DELAY = 5.0
"""Seconds for which nothing is sent to a Redis that did not answer, or was slow."""
RECONNECT_DELAY = 1.0
HEALTH_CHECK_INTERVAL = 10.0
"""Seconds after which a Redis that has said nothing is asked whether it is still there."""
REPLY_TIMEOUT = 5.0
"""Seconds that it has to reply then, and when it is connected to."""

OnMessage = Callable[[str], None]

logger = structlog.get_logger(__name__)

_listeners: set[Listener] = set()


class _Outage:
    """Holds until when Redis is left alone, by the monotonic clock."""

    until = 0.0


@receiver(matches_changed, dispatch_uid="streams.matches_changed")
def publish_matches(
    match_ids: Sequence[int], player_ids: Sequence[int] = (), topics: Sequence[Topic] = (), **more: Any
) -> None:
    """Publish that these matches have changed, to all if it is not known whose they are, or if none is named."""
    own = [("match", match) for match in match_ids] if player_ids else []
    publish(_message("match", match_ids), [*own, *(("player", player) for player in player_ids), *topics])


@receiver(rows_changed, dispatch_uid="streams.rows_changed")
def publish_rows(
    kind: str, ids: Sequence[int], player_ids: Sequence[int] = (), topics: Sequence[Topic] = (), **more: Any
) -> None:
    """Publish that these rows of a kind have changed: to those whom they concern, or to all if it is not known whom."""
    publish(_message(kind, ids), [*(("player", player) for player in player_ids), *topics])


def publish(message: str, topics: Sequence[Topic] = ()) -> None:
    """Send a message to those who have subscribed to one of the topics, or to all if there is none or are too many.

    An error of Redis is logged and not raised, and so is that it was slow.
    """
    if len(topics) > MAX_TOPICS:
        topics = ()
    if not settings.REDIS_URL:
        for listener in tuple(_listeners):
            listener.hear(message, topics)
        return
    if time.monotonic() < _Outage.until:
        return
    import redis  # noqa: PLC0415 - sites without Redis do without the 7 MB of its client

    connection = _redis(settings.REDIS_URL)
    begun = time.monotonic()
    try:
        base = _channel(connection.database)
        channels = [_channel_of(base, topic) for topic in topics] or [base]
        connection.send_all([("PUBLISH", channel, message) for channel in channels])
    except (redis.RedisError, OSError) as error:
        _Outage.until = time.monotonic() + FAILURE_DELAY
        logger.warning("change_not_published", error=str(error))
        return
    ended = time.monotonic()
    if ended - begun > PUBLISH_TIMEOUT:
        _Outage.until = ended + FAILURE_DELAY
        logger.warning("change_published_slowly", seconds=round(ended - begun, 3))


def read_message(message: str) -> tuple[str, list[int]]:
    """Return one of the ``KINDS`` of changes with ids, or ``all`` with none."""
    kind, *ids = message.split()
    return kind, [int(each) for each in ids]


class Listener:
    """Hears the messages for all, and those of the topics to which it has subscribed. It belongs to an event loop."""

    def __init__(self, on_message: OnMessage) -> None:
        """Call ``on_message`` with each message: with ``all`` at the beginning, and whenever some may be lost."""
        self._on_message = on_message
        self._topics: set[Topic] = set()
        self._sent: set[Topic] = set()
        self._unanswered: Counter[Topic] = Counter()
        self._confirmed: set[Topic] = set()
        self._changed = asyncio.Event()
        self._has_confirmed = asyncio.Condition()

    def hear(self, message: str, topics: Sequence[Topic]) -> None:
        """Pass on a message of this process, from any thread, if it is for all or for one of the own topics."""
        if not topics or not self._topics.isdisjoint(topics):
            self._on_message(message)

    def subscribe(self, topics: Iterable[Topic]) -> None:
        """Subscribe to topics."""
        self._topics.update(topics)
        self._changed.set()

    def unsubscribe(self, topics: Iterable[Topic]) -> None:
        """End subscriptions to topics."""
        self._topics.difference_update(topics)
        self._changed.set()

    async def confirm(self, topics: AbstractSet[Topic]) -> None:
        """Wait until Redis has confirmed the subscriptions, but not for long: when it is back, everything is read."""
        if not settings.REDIS_URL:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(CONFIRM_TIMEOUT), self._has_confirmed:
                await self._has_confirmed.wait_for(lambda: topics & self._topics <= self._confirmed)

    async def listen(self) -> None:
        """Pass on messages until the task is cancelled."""
        if settings.REDIS_URL:
            while True:
                try:
                    await self._listen_to_redis()
                except Exception as error:  # noqa: BLE001 - whatever goes wrong, everything is subscribed anew
                    logger.warning("changes_not_received", error=repr(error))
                await asyncio.sleep(RECONNECT_DELAY)
        _listeners.add(self)
        try:
            self._on_message(READ_ALL)
            await asyncio.Event().wait()
        finally:
            _listeners.discard(self)

    async def _listen_to_redis(self) -> None:
        from redis.asyncio import Redis  # noqa: PLC0415 - as above
        from redis.asyncio.retry import Retry  # noqa: PLC0415
        from redis.backoff import NoBackoff  # noqa: PLC0415

        connecting = Redis.from_url(
            settings.REDIS_URL,
            socket_connect_timeout=2,
            socket_timeout=REPLY_TIMEOUT,
            # Two tasks share the connection, and would both connect it anew: only ``listen`` does.
            retry=Retry(NoBackoff(), 0, supported_errors=()),
        )
        try:
            async with connecting as client, client.pubsub() as subscription:
                base = _channel(client.connection_pool.connection_kwargs.get("db") or 0)
                await subscription.subscribe(base, *(_channel_of(base, topic) for topic in self._begin()))
                sending = asyncio.create_task(self._send_topics(subscription, base))
                try:
                    while not sending.done():
                        await self._take(await _next_message(subscription), base)
                    sending.result()
                finally:
                    sending.cancel()
                    await asyncio.gather(sending, return_exceptions=True)
        finally:
            for each in (self._sent, self._unanswered, self._confirmed):
                each.clear()

    def _begin(self) -> set[Topic]:
        """Return all topics, which are about to be subscribed to in one command."""
        self._sent = set(self._topics)
        self._unanswered.update(self._sent)
        return self._sent

    async def _take(self, message: dict[str, Any], base: str) -> None:
        if message["type"] == "message":
            self._on_message(message["data"].decode())
        elif message["type"] == "subscribe" and (channel := message["channel"].decode()) == base:
            self._on_message(READ_ALL)
        elif message["type"] == "subscribe":
            topic = _topic_of(channel)
            async with self._has_confirmed:
                self._unanswered[topic] -= 1
                # A late reply says nothing of a topic that was unsubscribed from since, and maybe subscribed to again.
                if self._unanswered[topic] <= 0:
                    del self._unanswered[topic]
                    self._confirmed.update({topic} & self._sent)
                self._has_confirmed.notify_all()

    async def _send_topics(self, subscription: Any, base: str) -> None:
        """Tell Redis of new topics and of those that have ended, many in one command."""
        while True:
            self._changed.clear()
            new, ended = self._topics - self._sent, self._sent - self._topics
            self._sent = set(self._topics)
            self._confirmed -= ended
            self._unanswered.update(new)
            if ended:
                await subscription.unsubscribe(*(_channel_of(base, topic) for topic in ended))
            if new:
                await subscription.subscribe(*(_channel_of(base, topic) for topic in new))
            await self._changed.wait()


async def _next_message(subscription: Any) -> dict[str, Any]:
    """Return the next message. Raises ``TimeoutError`` if Redis is gone, even if it went without a word."""
    message: dict[str, Any] | None = await subscription.get_message(timeout=HEALTH_CHECK_INTERVAL)
    if message is None:
        # The client's own checks send such a question too, but never miss the reply.
        await subscription.ping()
        message = await subscription.get_message(timeout=REPLY_TIMEOUT)
    if message is None:
        raise TimeoutError("Redis has not replied.")
    return message


def _message(kind: str, ids: Sequence[int]) -> str:
    if not 0 < len(ids) <= MAX_NAMED:
        return READ_ALL
    return " ".join([kind, *map(str, ids)])


def _channel(database: int) -> str:
    """Return the channel of this site: Redis' numbered databases share their channels."""
    return f"kickabout:changes:{database}"


def _channel_of(base: str, topic: Topic) -> str:
    kind, subject = topic
    return f"{base}:{kind}:{subject}"


def _topic_of(channel: str) -> Topic:
    kind, subject = channel.split(":")[-2:]
    return kind, int(subject)


@cache
def _redis(url: str) -> RedisConnection:
    from database.redis_connection import RedisConnection  # noqa: PLC0415 - as above

    return RedisConnection(url, timeout=PUBLISH_TIMEOUT)
