"""All streams of this process: one listener, one thread that reads, and regular queries in case messages were lost.

Only messages of what the streams follow are heard, and a message only says which rows to read. They are read once for
all streams, one reading after the other, so every stream gets the versions of a match in their order. New streams first
subscribe, then read what they have missed, many in one reading, and are then added between two readings: so later
changes are in a later reading.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import TypeVar

import structlog
from django.conf import settings
from django.db import close_old_connections, connections

from database.clock import read_clock
from matches.signals import Topic
from streams import pubsub
from streams.access import Access, valid_accesses
from streams.changes import (
    KINDS,
    Change,
    Followed,
    add_states,
    add_updates,
    read_followed,
    read_latest_moment,
    read_named,
)
from streams.metrics import DROPPED_STREAMS, OPEN_STREAMS
from streams.opponents import Opponents, find_opponents
from streams.pubsub import Listener
from streams.stream import Stream
from streams.subscriptions import Missed, Subscription, read_missed

POLL_INTERVAL = 5.0
"""Seconds between two queries for changes, in case a message was lost."""

CHECK_INTERVAL = 3.0
"""Seconds between two checks whether the tokens and sessions by which streams were opened still hold."""

CONNECTIONS_INTERVAL = 5.0
"""Seconds between two looks at the connections of those against whom players play live."""

PAUSE_FACTOR = 20
"""The pause after a slow query or check is so many times as long as it took."""

RETRY_DELAY = 1.0

JOIN_INTERVAL = 0.1
"""Seconds after a reading for new streams before the next one: those that come meanwhile share it."""

MAX_JOINING = 100
"""The most new streams that read together what they have missed."""

SECONDS_FOR_A_PAGE = 0.005
MIN_SPREAD = 1.0
MAX_SPREAD = 30.0

_SENT_BY = {
    "match": {"match", "competition", "matches"},
    "seek": {"lobby"},
    "competition": {"competition"},
    "table": {"competition"},
    "team": set[str](),
    "pause": {"everybody"},
}
"""The kinds of topics besides players by which changes of a kind are sent."""

Found = TypeVar("Found")

logger = structlog.get_logger(__name__)


class Hub:
    """Keeps the streams of a process up to date. All its methods but ``has_room`` run in the streams' event loop."""

    def __init__(self) -> None:
        self._streams: set[Stream] = set()
        self._subscribers: dict[Topic, set[Stream]] = defaultdict(set)
        self._followed: Counter[Topic] = Counter()
        self._joining: deque[_Joining] = deque()
        self._join: asyncio.Task[None] | None = None
        self._open: Counter[str] = Counter()
        self._closed = False
        self._work: _Work | None = None

    def has_room(self, client: str) -> bool:
        """Return whether a client may open one more stream. Any thread may call this."""
        return self._open[client] < settings.MAX_STREAMS_PER_CLIENT

    def admit(self, stream: Stream) -> bool:
        """Admit a stream; return false if its client has too many, or the server is about to stop.

        For a stream that has been admitted it does nothing and returns true.
        """
        if stream in self._streams:
            return True
        if self._closed or not self.has_room(stream.client):
            return False
        self._streams.add(stream)
        self._open[stream.client] += 1
        OPEN_STREAMS.inc()
        if self._work is None:
            self._work = _Work(self._streams, self._subscribers)
        self._followed.update(stream.subscription.topics)
        self._work.listener.subscribe(stream.subscription.topics)
        return True

    async def join(self, stream: Stream) -> list[bytes]:
        """Return the events that an admitted stream begins with; from then on it gets every change."""
        if self._work is None:
            return []
        joining = _Joining(stream, asyncio.get_running_loop().create_future())
        self._joining.append(joining)
        if self._join is None or self._join.done():
            self._join = asyncio.create_task(self._join_all())
        return await joining.events

    async def _join_all(self) -> None:
        """Let the streams that wait join, many at a time."""
        while self._joining:
            waiting = [self._joining.popleft() for _ in range(min(len(self._joining), MAX_JOINING))]
            there = [each for each in waiting if each.stream in self._streams]
            try:
                # When all streams have left the work has ended, and those that came since have another.
                if there and self._work is not None:
                    await self._join_some(self._work, there)
            except Exception:
                # Those that have left meanwhile may have ended the work.
                if any(each.stream in self._streams for each in there):
                    logger.exception("streams_not_joined", streams=len(there))
            for each in waiting:
                each.cancel()
            await asyncio.sleep(JOIN_INTERVAL)

    async def _join_some(self, work: _Work, joining: list[_Joining]) -> None:
        subscriptions = [each.stream.subscription for each in joining]
        await work.listener.confirm({topic for subscription in subscriptions for topic in subscription.topics})
        async with work.reading:
            missed, work.origin = await work.read(partial(_read_missed, subscriptions))
            for each, found in zip(joining, missed, strict=True):
                each.stream.begin(found.known)
                if each.stream in self._streams:
                    for topic in each.stream.subscription.topics:
                        self._subscribers[topic].add(each.stream)
                each.begin(found.events)

    def moment(self) -> datetime | None:
        """Return the time of the site, ``None`` before anything was read."""
        origin = self._work.origin if self._work is not None else None
        return None if origin is None else origin + timedelta(seconds=monotonic())

    def leave(self, stream: Stream) -> None:
        """Remove a stream; the work ends with the last one."""
        if stream not in self._streams:
            return
        self._streams.discard(stream)
        for topic in stream.subscription.topics:
            self._subscribers[topic].discard(stream)
            if not self._subscribers[topic]:
                del self._subscribers[topic]
        self._followed.subtract(stream.subscription.topics)
        if ended := {topic for topic in stream.subscription.topics if not self._followed[topic]}:
            for topic in ended:
                del self._followed[topic]
            if self._work is not None:
                self._work.listener.unsubscribe(ended)
        self._open[stream.client] -= 1
        self._open += Counter()
        OPEN_STREAMS.dec()
        if not self._streams and self._work is not None:
            self._work.stop()
            self._work = None

    def close(self) -> None:
        """End all streams and admit no more, because the server stops."""
        self._closed = True
        for stream in tuple(self._streams):
            stream.end()


@dataclass(frozen=True, slots=True)
class _Joining:
    """A stream that waits for the events with which it begins."""

    stream: Stream
    events: asyncio.Future[list[bytes]]

    def begin(self, events: list[bytes]) -> None:
        """Give the stream its events, if it still waits."""
        if not self.events.done():
            self.events.set_result(events)

    def cancel(self) -> None:
        """End the wait, and with it the stream, if it has got no events: it has left meanwhile, or they failed."""
        self.events.cancel()


class _Work:
    """The tasks of a hub while it has streams: receive messages, read changes, check access."""

    def __init__(self, streams: set[Stream], subscribers: dict[Topic, set[Stream]]) -> None:
        self._streams = streams
        self._subscribers = subscribers
        self._loop = asyncio.get_running_loop()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="streams")
        self._has_message = asyncio.Event()
        self._named: dict[str, set[int]] = {kind: set() for kind in KINDS}
        self._reads_all = True
        self._poll_at = 0.0
        self._read_until: datetime | None = None
        self.origin: datetime | None = None
        """The site's time at the zero of the monotonic clock: the loop must not wait for the database to know it."""
        self.reading = asyncio.Lock()
        self.listener = Listener(self._receive)
        self._tasks = [
            self._loop.create_task(self.listener.listen()),
            self._loop.create_task(self._deliver_changes()),
            self._loop.create_task(self._check_access()),
            self._loop.create_task(self._tell_connections()),
        ]

    async def read(self, find: Callable[[], Found]) -> Found:
        """Return the result of ``find``, run in the one thread that reads the database."""
        return await self._loop.run_in_executor(self._thread, _with_usable_connection, find)

    def stop(self) -> None:
        """End the tasks, the thread, and its connection."""
        for task in self._tasks:
            task.cancel()
        self._thread.submit(connections.close_all)
        self._thread.shutdown(wait=False)

    def _receive(self, message: str) -> None:
        """Pass a message on to the event loop, from any thread."""
        with suppress(RuntimeError):  # The loop has ended meanwhile.
            self._loop.call_soon_threadsafe(self._note, message)

    def _note(self, message: str) -> None:
        kind, ids = pubsub.read_message(message)
        if kind in self._named:
            self._named[kind].update(ids)
        else:
            self._reads_all = True
        self._has_message.set()

    async def _deliver_changes(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._poll_at):
                    await self._has_message.wait()
            self._reads_all = self._reads_all or self._loop.time() >= self._poll_at
            self._has_message.clear()
            try:
                async with self.reading:
                    self._deliver(await self._with_updates(await self._read_changes()))
            except Exception as error:  # noqa: BLE001 - whatever goes wrong, it is tried again
                logger.warning("streams_cannot_read", error=str(error))
                self._reads_all = True
                await asyncio.sleep(RETRY_DELAY)
                self._has_message.set()

    async def _check_access(self) -> None:
        """End the streams whose token or session has ended, every few seconds."""
        pause = CHECK_INTERVAL
        while True:
            await asyncio.sleep(pause)
            begun = self._loop.time()
            accesses = {stream.access for stream in self._streams if stream.access is not None}
            try:
                ended = accesses - await self.read(partial(_find_valid, accesses))
            except Exception as error:  # noqa: BLE001 - whatever goes wrong, it is tried again
                logger.warning("streams_not_checked", error=str(error))
                continue
            for stream in [stream for stream in self._streams if stream.access in ended]:
                stream.end()
            pause = max(CHECK_INTERVAL, PAUSE_FACTOR * (self._loop.time() - begun))

    async def _tell_connections(self) -> None:
        """Tell players of live matches which opponents' connections are gone, every few seconds."""
        pause = CONNECTIONS_INTERVAL
        while True:
            await asyncio.sleep(pause)
            begun = self._loop.time()
            asking = [(stream, player) for stream in self._streams if (player := stream.echoes_to) is not None]
            if not asking:
                continue
            try:
                players = {player for _stream, player in asking}
                opponents, self.origin = await self.read(partial(_read_opponents, players))
            except Exception as error:  # noqa: BLE001 - whatever goes wrong, it is tried again
                logger.warning("streams_know_no_connections", error=str(error))
                continue
            for stream, player in asking:
                stream.tell(opponents.get(player, {}))
            pause = max(CONNECTIONS_INTERVAL, PAUSE_FACTOR * (self._loop.time() - begun))

    async def _read_changes(self) -> Iterable[Change]:
        named = self._named
        self._named = {kind: set() for kind in KINDS}
        if self._reads_all:
            begun = self._loop.time()
            followed = Followed.of(self._subscribers)
            changes, self._read_until = await self.read(partial(_poll, self._read_until, followed))
            self._reads_all = False
            self._poll_at = self._loop.time() + max(POLL_INTERVAL, PAUSE_FACTOR * (self._loop.time() - begun))
            return changes
        kinds = {kind for kind, _subject in self._subscribers}
        are_followed = not kinds.isdisjoint({"competition", "matches"})
        # A message for all names rows that nobody here may follow.
        if "player" not in kinds:
            if not are_followed:
                named["match"] = {match for match in named["match"] if ("match", match) in self._subscribers}
            named = {kind: named[kind] for kind in KINDS if _SENT_BY[kind] & kinds}
        if not any(named.values()):
            return []
        return await self.read(partial(read_named, **named, are_followed=are_followed))

    async def _with_updates(self, changes: Iterable[Change]) -> Iterable[Change]:
        """Return changes with what is new to streams of pages that show them, and of programs that want states."""
        shown: dict[Topic, set[int]] = {}
        stated: set[Topic] = set()
        for change in changes:
            topics = change.public if change.kind in {"seek", "table"} else (change.key,)
            for stream in {stream for topic in topics for stream in self._subscribers.get(topic, ())}:
                if stream.knows(change):
                    continue
                if change.key in stream.subscription.stated:
                    stated.add(change.key)
                if stream.subscription.shows(change):
                    players = shown.setdefault(change.key, set())
                    if stream.subscription.player is not None:
                        players.add(stream.subscription.player)
        if not (shown or stated):
            return changes
        return await self.read(lambda: add_states(add_updates(changes, shown), stated))

    def _deliver(self, changes: Iterable[Change]) -> None:
        for change in changes:
            streams = {stream for topic in change.topics for stream in self._subscribers.get(topic, ())}
            if change.kind in {"competition", "table"}:
                change = replace(change, facts=change.facts | {"spread": spread_over(len(streams))})  # noqa: PLW2901
            for stream in streams:
                if not stream.offer(change):
                    DROPPED_STREAMS.inc()
                    stream.drop()
                    stream.close()


def spread_over(followers: int) -> float:
    """Return the seconds over which so many clients that now ask for a page should spread."""
    return round(min(MAX_SPREAD, max(MIN_SPREAD, followers * SECONDS_FOR_A_PAGE)), 1)


def _poll(read_until: datetime | None, followed: Followed) -> tuple[list[Change], datetime]:
    """Return the changes since a moment of what is followed, and the last moment of any; without a moment only that."""
    latest = read_latest_moment()
    if read_until is None:
        return [], latest
    return read_followed(read_until, followed), latest


def _read_missed(subscriptions: Sequence[Subscription]) -> tuple[list[Missed], datetime]:
    return read_missed(subscriptions), _read_origin()


def _read_opponents(players: Collection[int]) -> tuple[dict[int, Opponents], datetime]:
    return find_opponents(players, now=read_clock()), _read_origin()


def _read_origin() -> datetime:
    return read_clock() - timedelta(seconds=monotonic())


def _find_valid(accesses: set[Access]) -> set[Access]:
    return valid_accesses(accesses, now=read_clock())


def _with_usable_connection(find: Callable[[], Found]) -> Found:
    close_old_connections()
    return find()


hub = Hub()
"""The streams of this process."""
