"""One client's stream: a short queue of events, comments that keep it alive, and an end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from random import uniform
from typing import Protocol

from matches.signals import Topic
from players.connections import ECHO_INTERVAL
from streams.access import Access
from streams.changes import Change, write_passing
from streams.echoes import write_token
from streams.opponents import Opponent, Opponents
from streams.subscriptions import Subscription

MAX_WAITING = 256
"""The most events that may wait for a slow client. With one more its stream is dropped, and the client reconnects."""

PING_INTERVAL = 15.0
MAX_DURATION = 3600.0
"""Seconds after which a client has to open its stream again, and authenticate anew."""

PING = b": ping\n\n"


class StreamHost(Protocol):
    """The hub, as a stream sees it."""

    def admit(self, stream: Stream) -> bool:
        """Admit the stream; return whether there is room for it."""

    async def join(self, stream: Stream) -> list[bytes]:
        """Send the stream all changes from now on, and return the events that it has missed."""

    def moment(self) -> datetime | None:
        """Return the time of the site, ``None`` as long as it is not known."""

    def leave(self, stream: Stream) -> None:
        """Remove the stream."""


class Stream:
    """The events for one client, as an asynchronous iterator of bytes. It belongs to the loop that iterates it."""

    def __init__(self, host: StreamHost, subscription: Subscription, client: str, access: Access | None = None) -> None:
        self.subscription = subscription
        self.client = client
        self.access = access
        self._host = host
        self._known: dict[Topic, str] = {}
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue(MAX_WAITING)
        self._task: asyncio.Task[object] | None = None
        self._ends_at = 0.0
        self._echo_at = 0.0
        self._told: dict[int, Opponent] = {}

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield events as they come, until the client leaves or the stream ends."""
        if not self.admit():
            return
        loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._ends_at = loop.time() + MAX_DURATION * uniform(0.9, 1)
        try:
            # Clients that lose their streams together should not all come back together.
            yield f"retry: {round(uniform(1000, 4000))}\n\n".encode()
            for missed in await self._host.join(self):
                yield missed
            while loop.time() < self._ends_at and (event := await self._next()) is not None:
                yield event
        finally:
            self.close()

    def admit(self) -> bool:
        """Take a place for the stream, which it has until it is closed; return false if there is none."""
        return self._host.admit(self)

    def begin(self, known: dict[Topic, str]) -> None:
        """Note the versions that the client knows already."""
        self._known.update(known)

    def knows(self, change: Change) -> bool:
        """Return whether the client knows this version of what has changed."""
        return self._known.get(change.key) == change.version

    def offer(self, change: Change) -> bool:
        """Queue a change, unless the client knows it already; return false if too many events wait."""
        if self.knows(change):
            return True
        self._known[change.key] = change.version
        try:
            self._waiting.put_nowait(self.subscription.event_of(change))
        except asyncio.QueueFull:
            return False
        return True

    @property
    def echoes_to(self) -> int | None:
        """Return the player who answers its echoes, ``None`` if it sends none."""
        return self.subscription.player if self.subscription.echoes else None

    def tell(self, opponents: Opponents) -> None:
        """Queue what is new of the connections of the player's opponents; what has no room is told later."""
        for match, opponent in opponents.items():
            if self._told.get(match) == opponent or self._waiting.full():
                continue
            self._told[match] = opponent
            facts = {"match": match, "side": opponent.side.value, "gone_since": opponent.gone_since}
            self._waiting.put_nowait(write_passing("connection", facts))

    def end(self) -> None:
        """End the stream after the event that is being sent; the client gets the others when it reconnects."""
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._waiting.put_nowait(None)

    def drop(self) -> None:
        """Cancel the stream at once."""
        if self._task is not None:
            self._task.cancel()

    def close(self) -> None:
        """Remove the stream from its host; a second call has no effect."""
        self._host.leave(self)

    async def _next(self) -> bytes | None:
        loop, player = asyncio.get_running_loop(), self.echoes_to
        try:
            async with asyncio.timeout_at(loop.time() + PING_INTERVAL if player is None else self._echo_at):
                return await self._waiting.get()
        except TimeoutError:
            self._echo_at = loop.time() + ECHO_INTERVAL.total_seconds()
            now = self._host.moment()
            if player is None or now is None:
                return PING
            return write_passing("echo", {"token": write_token(player, now)})
