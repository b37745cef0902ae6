"""Messages from one process to others, and that a Redis which is down delays nobody."""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Iterator

import pytest

from streams import pubsub
from streams.pubsub import READ_ALL, listen, publish, publish_log_lines, publish_matches, publish_seeks, read_message
from tests.matches.conftest import StartMatch
from tests.matches.play import YELLOW_SET_UP, act, reread


@pytest.fixture
def received(settings) -> Iterator[list[str]]:
    """Yield what listeners in this process on_message."""
    settings.REDIS_URL = ""
    messages: list[str] = []
    pubsub._listeners.add(messages.append)
    yield messages
    pubsub._listeners.discard(messages.append)


@pytest.fixture
def no_outage(monkeypatch) -> None:
    """Forget Redis' outages before and after the test."""
    monkeypatch.setattr(pubsub._Outage, "until", 0.0)


@pytest.fixture
def unresponsive_port() -> Iterator[int]:
    """Yield the port of a server that takes connections and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(16)
        yield server.getsockname()[1]


def test_a_message_names_what_has_changed_or_everything(received):
    publish_matches(match_ids=[17, 4])
    publish_seeks(seek_ids=[3])
    publish_log_lines(log_ids=[8])
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


@pytest.mark.django_db(transaction=True)
def test_a_redis_that_is_down_does_not_touch_the_move(settings, no_outage, begin: StartMatch):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        settings.REDIS_URL = f"redis://127.0.0.1:{nobody.getsockname()[1]}/0"
    match = act(begin(), YELLOW_SET_UP)
    assert reread(match).ply == 1


@pytest.mark.postgresql
def test_a_message_goes_through_redis_and_a_listener_reads_all_when_it_begins(settings, no_outage):
    settings.REDIS_URL = os.environ["REDIS_URL"]

    async def scenario() -> list[str]:
        messages: asyncio.Queue[str] = asyncio.Queue()
        listening = asyncio.create_task(listen(messages.put_nowait))
        received = [await messages.get()]
        await asyncio.to_thread(publish, "match 17")
        received.append(await messages.get())
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        return received

    assert asyncio.run(asyncio.wait_for(scenario(), 60)) == [READ_ALL, "match 17"]
