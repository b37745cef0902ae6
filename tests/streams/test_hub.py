"""All streams of a process: who gets what, what becomes of slow clients, and of messages that are lost."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from django.db import connections

from matches.models import Match
from matches.services import resign
from streams import changes, updates
from streams import hub as hubs
from streams import stream as streams
from streams.changes import read_named
from streams.hub import Hub
from streams.pubsub import READ_ALL, publish
from streams.stream import PING, Stream
from streams.subscriptions import MatchSubscription, PlayerSubscription, Subscription, read_missed
from tests.matches.conftest import NOON
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act
from tests.streams.events import Event, parse

pytestmark = pytest.mark.django_db(transaction=True)

TIMEOUT = 60


async def do(deed: Callable[..., Any], *arguments: Any) -> Any:
    """Do something with the database, as another process would."""

    def work() -> Any:
        try:
            return deed(*arguments)
        finally:
            connections.close_all()

    return await asyncio.to_thread(work)


class Reader:
    """Takes what a stream gives."""

    def __init__(self, hub: Hub, subscription: Subscription, client: str = "somebody") -> None:
        self.stream = Stream(hub, subscription, client)
        self._chunks: AsyncIterator[bytes] = aiter(self.stream)

    async def chunk(self) -> bytes:
        """Return the next piece; raises StopAsyncIteration at the end."""
        async with asyncio.timeout(TIMEOUT):
            return await anext(self._chunks)

    async def event(self) -> Event:
        """Return the next event."""
        async with asyncio.timeout(TIMEOUT):
            while True:
                if event := parse((await self.chunk()).decode()):
                    return event

    async def close(self) -> None:
        """Go away."""
        await self._chunks.aclose()  # type: ignore[attr-defined]


@pytest.fixture
def match(begin):
    return begin()


@pytest.fixture
def other(begin):
    return begin()


async def test_a_move_is_sent_to_subscribers_of_the_match_and_its_players_only(hub, match, other, anna, piotr, carla):
    watching = Reader(hub, MatchSubscription(match.pk, ""))
    elsewhere = Reader(hub, MatchSubscription(other.pk, ""))
    playing = [Reader(hub, PlayerSubscription(player.pk, ""), player.username) for player in (anna, piotr, carla)]
    everybody = [watching, elsewhere, *playing]
    for reader in everybody:
        await reader.event()
    await do(act, match, YELLOW_SET_UP)
    assert (await watching.event()).data["ply"] == 1
    assert [(await reader.event()).data["you"] for reader in playing[:2]] == ["yellow", "red"]
    await do(act, other, YELLOW_SET_UP)
    assert (await elsewhere.event()).data["match"] == other.pk
    assert (await playing[0].event()).data["match"] == other.pk
    assert playing[2].stream._waiting.empty()
    assert watching.stream._waiting.empty()


async def test_one_stream_sends_each_change_of_a_player_and_of_matches_once(hub, match, other, anna, carla):
    playing = Reader(hub, PlayerSubscription(anna.pk, "", [match.pk]), "anna")
    watching = Reader(hub, PlayerSubscription(carla.pk, "", [match.pk]), "carla")
    visiting = Reader(hub, PlayerSubscription(None, "", [match.pk, other.pk]), "visitor")
    for reader, number in ((playing, 2), (watching, 2), (visiting, 3)):
        for _ in range(number):
            await reader.event()
    await do(act, match, YELLOW_SET_UP)
    sent = [(await reader.event()).data for reader in (playing, watching, visiting)]
    assert [(each["match"], each["ply"], each.get("you")) for each in sent] == [
        (match.pk, 1, "yellow"),
        (match.pk, 1, None),
        (match.pk, 1, None),
    ]
    await do(act, other, YELLOW_SET_UP)
    assert [(await reader.event()).data["match"] for reader in (playing, visiting)] == [other.pk, other.pk]
    for reader in (playing, watching, visiting):
        assert reader.stream._waiting.empty()
        await reader.close()
    assert not hub._subscribers


async def test_the_versions_of_a_match_come_in_their_order_and_the_last_one_comes(hub, match):
    reader = Reader(hub, MatchSubscription(match.pk, ""))
    plies = [(await reader.event()).data["ply"]]

    def play() -> int:
        now = act(act(match, YELLOW_SET_UP), RED_SET_UP)
        while now.ply < 30 and now.side:
            now = act(now)
        return resign(match_id=match.pk, player=match.yellow, now=now.last_move_at).ply

    playing = asyncio.create_task(do(play))
    event = await reader.event()
    while event.data["status"] == "playing":
        plies.append(event.data["ply"])
        event = await reader.event()
    assert plies == sorted(set(plies))
    assert event.data["ply"] == await playing


async def test_a_change_without_a_message_is_found(hub, match, monkeypatch):
    monkeypatch.setattr(hubs, "POLL_INTERVAL", 0.05)
    monkeypatch.setattr(hubs, "PAUSE_FACTOR", 0)
    reader = Reader(hub, MatchSubscription(match.pk, ""))
    await reader.event()
    await do(lambda: Match.objects.filter(pk=match.pk).update(extensions=3))
    assert (await reader.event()).id == "0.3.playing"


async def test_a_change_that_is_found_again_is_sent_once(hub, match):
    reader = Reader(hub, MatchSubscription(match.pk, ""))
    await reader.event()
    await do(act, match, YELLOW_SET_UP)
    assert (await reader.event()).data["ply"] == 1
    publish(READ_ALL)
    publish(f"match {match.pk}")
    match.ply, match.side = 1, "red"
    await do(act, match, RED_SET_UP)
    assert (await reader.event()).data["ply"] > 1


async def test_a_slow_client_is_torn_off_and_the_others_are_not(hub, begin, anna, monkeypatch):
    matches = [await do(begin) for _ in range(4)]
    monkeypatch.setattr(streams, "MAX_WAITING", 2)
    taken: list[bytes] = []
    begun, stalled = asyncio.Event(), asyncio.Event()

    async def take_slowly() -> None:
        async for chunk in Stream(hub, PlayerSubscription(anna.pk, ""), "slow"):
            taken.append(chunk)
            if len(taken) == 2:
                begun.set()
            if len(taken) == 3:
                stalled.set()
                await asyncio.Event().wait()

    slow = asyncio.create_task(take_slowly())
    watching = Reader(hub, MatchSubscription(matches[-1].pk, ""))
    await watching.event()
    await begun.wait()
    await do(act, matches[0], YELLOW_SET_UP)
    await stalled.wait()
    for match in matches[1:]:
        await do(act, match, YELLOW_SET_UP)
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(slow, TIMEOUT)
    assert (await watching.event()).data["ply"] == 1
    sent = parse(taken[2].decode())
    assert sent.data["match"] == matches[0].pk
    again = Reader(hub, PlayerSubscription(anna.pk, sent.id), "slow")
    assert {(await again.event()).data["match"] for _ in matches} == {match.pk for match in matches}


async def test_while_nothing_happens_a_comment_comes(hub, match, monkeypatch):
    monkeypatch.setattr(streams, "PING_INTERVAL", 0.01)
    reader = Reader(hub, MatchSubscription(match.pk, ""))
    assert (await reader.chunk()).startswith(b"retry: ")
    assert parse((await reader.chunk()).decode())
    assert [await reader.chunk() for _ in range(2)] == [PING, PING]


async def test_a_client_has_so_many_streams_and_no_more(hub, match, settings):
    settings.MAX_STREAMS_PER_CLIENT = 2
    two = [Reader(hub, MatchSubscription(match.pk, "")) for _ in range(2)]
    # The sender of the stream may have admitted it already.
    assert [two[0].stream.admit() for _ in range(3)] == [True, True, True]
    for reader in two:
        await reader.event()
    assert not hub.has_room("somebody")
    with pytest.raises(StopAsyncIteration):
        await Reader(hub, MatchSubscription(match.pk, "")).chunk()
    another = Reader(hub, MatchSubscription(match.pk, ""), "somebody else")
    await another.event()
    await two[0].close()
    assert hub.has_room("somebody")


async def test_streams_end_when_they_have_lasted_long_enough(hub, match, monkeypatch):
    monkeypatch.setattr(streams, "MAX_DURATION", 0.0)
    reader = Reader(hub, MatchSubscription(match.pk, ""))
    await reader.event()
    with pytest.raises(StopAsyncIteration):
        await reader.chunk()


async def test_all_streams_end_when_the_hub_closes_and_none_begins(hub, match):
    readers = [Reader(hub, MatchSubscription(match.pk, "")) for _ in range(3)]
    for reader in readers:
        await reader.event()
    hub.close()
    for reader in [*readers, Reader(hub, MatchSubscription(match.pk, ""))]:
        with pytest.raises(StopAsyncIteration):
            await reader.chunk()


async def test_a_database_that_is_away_delays_the_news(hub, match, monkeypatch, caplog):
    monkeypatch.setattr(hubs, "RETRY_DELAY", 0.01)
    real = read_named
    failures = [OSError("the database is away")]

    def fail_once(**named: Any) -> Any:
        if failures:
            raise failures.pop()
        return real(**named)

    reader = Reader(hub, MatchSubscription(match.pk, ""))
    await reader.event()
    monkeypatch.setattr(hubs, "read_named", fail_once)
    await do(act, match, YELLOW_SET_UP)
    assert (await reader.event()).data["ply"] == match.ply + 1
    await reader.close()
    assert failures == []
    assert "the database is away" in caplog.text


async def test_a_match_whose_update_cannot_be_made_delays_no_news(hub, match, other, monkeypatch, caplog):
    real = updates.read_update

    def fail_for_one(match_id: int, players: set[int]) -> Any:
        if match_id == match.pk:
            raise AssertionError("a row begins where there is no move")
        return real(match_id, players)

    monkeypatch.setattr(changes, "read_update", fail_for_one)
    matches = (match, other)
    readers = [Reader(hub, PlayerSubscription(None, "", [each.pk], updates=True)) for each in matches]
    for reader in readers:
        await reader.event()
        await reader.event()
    for each, reader in zip(matches, readers, strict=True):
        await do(act, each, YELLOW_SET_UP)
        event = await reader.event()
        assert event.data["ply"] == 1
        assert ("update" in event.data) == (each is other)
        await reader.close()
    assert "a row begins where there is no move" in caplog.text
    assert "streams_cannot_read" not in caplog.text


async def test_a_process_hears_only_of_what_its_streams_follow(hub, match, other, anna, carla, monkeypatch):
    reads: list[dict[str, Any]] = []

    def note(**named: Any) -> list[changes.Change]:
        reads.append(named)
        return read_named(**named)

    monkeypatch.setattr(hubs, "read_named", note)
    following = Reader(hub, PlayerSubscription(carla.pk, "", [match.pk]), "carla")
    assert [(await following.event()).name for _ in range(2)] == ["ready", "match"]
    await do(act, other, YELLOW_SET_UP)
    await do(act, match, YELLOW_SET_UP)
    assert (await following.event()).data["ply"] == 1
    assert reads == [{kind: set() for kind in changes.KINDS} | {"match": {match.pk}, "are_followed": False}]
    playing = Reader(hub, PlayerSubscription(anna.pk, ""), "anna")
    assert (await playing.event()).name == "ready"
    await do(lambda: resign(match_id=other.pk, player=anna, now=NOON))
    assert (await playing.event()).data["status"] == "finished"
    await playing.close()
    await following.close()
    assert not hub._followed


async def test_a_topic_is_followed_until_its_last_stream_has_left(hub, match):
    first, second = (Reader(hub, MatchSubscription(match.pk, "")) for _ in range(2))
    for reader in (first, second):
        await reader.event()
    await first.close()
    await do(act, match, YELLOW_SET_UP)
    assert (await second.event()).data["ply"] == 1


async def test_a_stream_that_comes_after_all_have_left_joins_even_if_one_of_them_was_still_joining(
    hub, match, monkeypatch
):
    reads, go_on = threading.Event(), threading.Event()

    def read_slowly(subscriptions: Any) -> Any:
        reads.set()
        assert go_on.wait(TIMEOUT)
        return read_missed(subscriptions)

    monkeypatch.setattr(hubs, "read_missed", read_slowly)
    leaving = asyncio.create_task(Reader(hub, MatchSubscription(match.pk, ""), "leaving").event())
    assert await asyncio.to_thread(reads.wait, TIMEOUT)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    assert hub._work is None
    coming = Reader(hub, MatchSubscription(match.pk, ""), "coming")
    joining = asyncio.create_task(coming.event())
    await asyncio.sleep(0)
    assert hub._joining
    go_on.set()
    assert (await joining).data["ply"] == 0


async def test_streams_that_come_one_after_the_other_share_a_reading_of_what_they_missed(hub, match, monkeypatch):
    read_together: list[int] = []

    def note(subscriptions: list[Subscription]) -> Any:
        read_together.append(len(subscriptions))
        return read_missed(subscriptions)

    monkeypatch.setattr(hubs, "read_missed", note)
    monkeypatch.setattr(hubs, "JOIN_INTERVAL", 10)
    loop = asyncio.get_running_loop()
    time, passed = loop.time, [0]
    monkeypatch.setattr(loop, "time", lambda: time() + passed[0])
    readers = [Reader(hub, MatchSubscription(match.pk, ""), f"client{number}") for number in range(3)]
    first, *others = readers
    assert (await first.event()).name == "match"
    assert read_together == [1]
    coming = []
    for each in others:
        await each.chunk()
        coming.append(asyncio.create_task(each.event()))
        for _ in range(20):
            await asyncio.sleep(0)
    assert read_together == [1]
    passed[0] = 10
    assert [(await each).name for each in coming] == ["match", "match"]
    assert read_together == [1, 2]


async def test_an_error_while_streams_join_ends_them_and_is_logged_once(hub, match, monkeypatch, caplog):
    def fail(subscriptions: Any) -> Any:
        raise AssertionError("what was missed cannot be read")

    monkeypatch.setattr(hubs, "read_missed", fail)
    joining = [asyncio.create_task(Reader(hub, MatchSubscription(match.pk, ""), name).event()) for name in "ab"]
    await asyncio.wait(joining, timeout=TIMEOUT)
    assert all(task.cancelled() for task in joining)
    assert caplog.text.count("streams_not_joined") == 1
    assert "what was missed cannot be read" in caplog.text
