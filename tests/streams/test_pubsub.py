"""Messages from one process to others, and that a Redis which is down delays nobody."""

import asyncio
import os
import signal
import socket
import time
from collections.abc import Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
import redis.asyncio
from redis.asyncio.client import PubSub

from streams import pubsub
from streams.pubsub import READ_ALL, Listener, publish, publish_matches, publish_rows, read_message
from tests.matches.play import YELLOW_SET_UP, act, reread
from tests.plugins.real_servers import run_valkey

pytestmark = pytest.mark.both_databases


@pytest.fixture
def received(settings):
    """Yield what listeners in this process on_message."""
    settings.REDIS_URL = ""
    messages: list[str] = []
    listener = Listener(messages.append)
    listener.subscribe([("match", 17), ("match", 4), ("player", 5)])
    pubsub._listeners.add(listener)
    yield messages
    pubsub._listeners.discard(listener)


@pytest.fixture
def no_outage(monkeypatch):
    """Forget Redis' outages before and after the test."""
    monkeypatch.setattr(pubsub._Outage, "until", 0.0)


@pytest.fixture
def no_hurry(monkeypatch):
    """Let no publication count as slow, however busy the machine is."""
    monkeypatch.setattr(pubsub, "PUBLISH_TIMEOUT", 60.0)


@pytest.fixture
def unresponsive_port():
    """Yield the port of a server that takes connections and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(16)
        yield server.getsockname()[1]


def test_a_message_names_what_has_changed_or_everything(received):
    publish_matches(match_ids=[17, 4])
    publish_rows(kind="seek", ids=[3])
    publish_rows(kind="competition", ids=[8])
    publish_matches(match_ids=[])
    publish_matches(match_ids=range(1000))
    assert [read_message(message) for message in received] == [
        ("match", [17, 4]),
        ("seek", [3]),
        ("competition", [8]),
        (READ_ALL, []),
        (READ_ALL, []),
    ]


def test_a_redis_that_is_down_is_not_asked_again_at_once(settings, no_outage, unresponsive_port, caplog):
    settings.REDIS_URL = f"redis://127.0.0.1:{unresponsive_port}/0"
    begun = time.monotonic()
    for _ in range(50):
        publish(READ_ALL)
    assert time.monotonic() - begun < 10 * pubsub.PUBLISH_TIMEOUT
    assert caplog.text.count("change_not_published") == 1


class SlowRedis:
    """Runs commands, and lets the time pass that each reply takes."""

    database = 0

    def __init__(self) -> None:
        self.now = 1000.0
        self.delay = 0.0
        self.published: list[str] = []

    def monotonic(self) -> float:
        """Return the time."""
        return self.now

    def send_all(self, commands: Sequence[tuple[str, ...]]) -> None:
        """Note the messages."""
        for _name, _channel, message in commands:
            self.now += self.delay
            self.published.append(message)


@pytest.fixture
def slow(settings, no_outage, monkeypatch):
    """Return a Redis by whose time everything is published."""
    settings.REDIS_URL = "redis://slow/0"
    redis = SlowRedis()
    monkeypatch.setattr(pubsub, "_redis", lambda url: redis)
    monkeypatch.setattr(pubsub, "time", redis)
    return redis


@pytest.mark.parametrize(
    ("delay", "topics", "lasts"),
    [
        (0.15, [], True),
        (0.15, [("match", 17), ("player", 4)], False),
        (0.06, [("match", 17), ("player", 4), ("player", 5)], True),
        (0.006, [("player", player) for player in range(pubsub.MAX_TOPICS)], False),
    ],
)
def test_a_redis_that_is_slow_in_all_is_left_alone_for_a_while(slow, caplog, delay, topics, lasts):
    slow.delay = delay
    publish("match 17", topics)
    slow.delay = 0.0
    ended = slow.now
    slow.published.clear()
    for moment, is_published in ((0.0, lasts), (pubsub.FAILURE_DELAY - 0.1, lasts), (pubsub.FAILURE_DELAY, True)):
        slow.now = ended + moment
        publish("match 18")
        assert slow.published == ["match 18"] * is_published
        slow.published.clear()
    assert caplog.text.count("change_published_slowly") == (not lasts)


@pytest.mark.django_db(transaction=True)
def test_a_redis_that_is_down_does_not_touch_the_move(settings, no_outage, begin):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        settings.REDIS_URL = f"redis://127.0.0.1:{nobody.getsockname()[1]}/0"
    match = act(begin(), YELLOW_SET_UP)
    assert reread(match).ply == 1


def test_a_message_of_matches_and_players_is_heard_by_their_followers_only(received):
    publish_matches(match_ids=[9], player_ids=[1, 2])
    publish_rows(kind="seek", ids=[6], player_ids=[1])
    assert received == []
    publish_matches(match_ids=[17], player_ids=[1, 2])
    publish_matches(match_ids=[9], player_ids=[1, 5])
    publish_rows(kind="seek", ids=[6], player_ids=[5])
    assert received == ["match 17", "match 9", "seek 6"]
    publish_matches(match_ids=range(1, 100), player_ids=range(100, 200))
    assert read_message(received[-1]) == ("match", [*range(1, 100)])


@asynccontextmanager
async def hear(*topics):
    """Yield a listener that follows these topics, and what gets its next message: the first says to read everything."""
    messages: asyncio.Queue[str] = asyncio.Queue()
    listener = Listener(messages.put_nowait)
    listener.subscribe(topics)
    listening = asyncio.create_task(listener.listen())
    assert await messages.get() == READ_ALL
    await listener.confirm({*topics})
    yield listener, messages.get
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)


@pytest.mark.postgresql
async def test_redis_passes_on_what_is_for_all_and_what_was_subscribed_to(settings, no_outage, no_hurry):
    settings.REDIS_URL = os.environ["REDIS_URL"]
    async with hear(("match", 17)) as (listener, next_message):
        await asyncio.to_thread(publish_matches, [18], [1, 2])
        await asyncio.to_thread(publish_matches, [17], [1, 2])
        assert await next_message() == "match 17"
        listener.subscribe([("player", 2), ("match", 20)])
        listener.unsubscribe([("match", 17)])
        await listener.confirm({("player", 2), ("match", 20)})
        await asyncio.to_thread(publish_matches, [17], [1, 3])
        await asyncio.to_thread(publish_matches, [19], [1, 2])
        await asyncio.to_thread(publish_rows, "competition", [4])
        assert [await next_message() for _ in range(2)] == ["match 19", "competition 4"]


@pytest.mark.postgresql
async def test_a_connection_that_is_lost_is_subscribed_anew_and_everything_is_read(settings, no_outage, no_hurry):
    settings.REDIS_URL = os.environ["REDIS_URL"]
    topic = ("match", 17)
    async with hear(topic) as (listener, next_message):
        async with redis.asyncio.Redis.from_url(settings.REDIS_URL) as client:
            await client.execute_command("CLIENT", "KILL", "TYPE", "PUBSUB")
            assert await next_message() == READ_ALL
            base = pubsub._channel(client.connection_pool.connection_kwargs.get("db") or 0)
            channel = pubsub._channel_of(base, topic)
            while [count for _name, count in await client.pubsub_numsub(channel)] != [1]:
                await listener.confirm({topic})
        await asyncio.to_thread(publish_matches, [17], [1, 2])
        assert await next_message() == "match 17"


def wait_for_line(caplog: pytest.LogCaptureFixture, text: str) -> None:
    """Wait until the log says it."""
    end = time.monotonic() + 30
    while text not in caplog.text:
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.postgresql
async def test_a_redis_that_vanishes_without_a_word_is_noticed_and_everything_is_read_when_it_is_back(
    settings, no_outage, monkeypatch, caplog
):
    for name in ("HEALTH_CHECK_INTERVAL", "REPLY_TIMEOUT", "RECONNECT_DELAY"):
        monkeypatch.setattr(pubsub, name, 0.3)
    settings.REDIS_URL, server = run_valkey()
    try:
        async with hear(("match", 17)) as (listener, next_message):
            # It says nothing for long, and is there.
            await asyncio.sleep(5 * pubsub.HEALTH_CHECK_INTERVAL)
            assert "changes_not_received" not in caplog.text
            os.kill(server.pid, signal.SIGSTOP)
            try:
                await asyncio.to_thread(wait_for_line, caplog, "Redis has not replied.")
            finally:
                os.kill(server.pid, signal.SIGCONT)
            assert await next_message() == READ_ALL
            await listener.confirm({("match", 17)})
            await asyncio.to_thread(publish_matches, [17], [1, 2])
            assert await next_message() == "match 17"
    finally:
        server.stop()


@pytest.mark.postgresql
async def test_after_any_error_everything_is_subscribed_to_anew_in_one_command(
    settings, no_outage, monkeypatch, caplog
):
    settings.REDIS_URL = os.environ["REDIS_URL"]
    monkeypatch.setattr(pubsub, "RECONNECT_DELAY", 0.01)
    topic = ("match", 17)
    commands: list[set[str]] = []
    failures = [RuntimeError("read() called while another coroutine is already waiting")]
    subscribe, get_message = PubSub.subscribe, PubSub.get_message

    async def note(subscription: PubSub, *channels: str) -> None:
        commands.append(set(channels))
        await subscribe(subscription, *channels)

    async def fail_once(subscription: PubSub, **options: Any) -> Any:
        if failures:
            raise failures.pop()
        return await get_message(subscription, **options)

    monkeypatch.setattr(PubSub, "subscribe", note)
    monkeypatch.setattr(PubSub, "get_message", fail_once)
    async with hear(topic) as (listener, next_message):
        assert listener._confirmed == {topic}
        await asyncio.to_thread(publish_matches, [17], [1, 2])
        assert await next_message() == "match 17"
    assert not listener._confirmed
    assert "read() called while another coroutine" in caplog.text
    assert [len(channels) for channels in commands] == [2, 2]


async def test_only_the_last_reply_confirms_a_topic_that_was_subscribed_to_again_and_none_one_that_was_left():
    again, left = ("match", 17), ("player", 4)

    class Subscription:
        async def subscribe(self, *channels: str) -> None:
            pass

        unsubscribe = subscribe

    listener = Listener(pytest.fail)
    sending = asyncio.create_task(listener._send_topics(Subscription(), "base"))
    for change in (listener.subscribe, listener.unsubscribe):
        change([again, left])
        await asyncio.sleep(0.01)
    listener.subscribe([again])
    await asyncio.sleep(0.01)
    for confirmed in (set(), {again}):
        for kind, subject in (again, left):
            channel = f"base:{kind}:{subject}".encode()
            if listener._unanswered[kind, subject]:
                await listener._take({"type": "subscribe", "channel": channel}, "base")
        assert listener._confirmed == confirmed
    sending.cancel()
    await asyncio.gather(sending, return_exceptions=True)


async def test_nobody_waits_for_a_topic_that_nobody_follows_any_more(settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(pubsub, "CONFIRM_TIMEOUT", 3600)
    listener = Listener(pytest.fail)
    listener.subscribe([("match", 17)])
    listener.unsubscribe([("match", 17)])
    await listener.confirm({("match", 17)})


async def test_a_stream_waits_for_a_redis_that_is_away_only_a_moment(settings, monkeypatch):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(pubsub, "CONFIRM_TIMEOUT", 0.05)
    listener = Listener(pytest.fail)
    listener.subscribe([("match", 17)])
    await listener.confirm({("match", 17)})
