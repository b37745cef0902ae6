"""One client's stream: a short queue of events, comments that keep it alive, and an end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from random import uniform
from typing import Protocol

from streams.access import Access
from streams.changes import Change, Key
from streams.subscriptions import Following

MAX_WAITING = 256
"""How many events wait for a client that takes them slowly. With one more it is dropped, and comes again."""

PING_INTERVAL = 15.0
MAX_DURATION = 3600.0
"""Seconds after which a client has to open its stream again, and shows once more who it is."""

PING = b": ping\n\n"


class StreamHost(Protocol):
    """What holds the streams of this process."""

    def admit(self, stream: Stream) -> bool:
        """Count the stream in; return whether there is room for it."""

    async def join(self, stream: Stream) -> list[bytes]:
        """Have the stream hear of changes from now on, and return the events that it has missed."""

    def leave(self, stream: Stream) -> None:
        """Count the stream out."""


class Stream:
    """What one client is sent, as an asynchronous iterator of bytes. Belongs to the loop that iterates it."""

    def __init__(self, host: StreamHost, following: Following, who: str, access: Access | None = None) -> None:
        self.following = following
        self.who = who
        self.access = access
        self._host = host
        self._known: dict[Key, str] = {}
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue(MAX_WAITING)
        self._task: asyncio.Task[object] | None = None
        self._ends_at = 0.0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield events as they come, until the client goes or the stream is ended."""
        if not self._host.admit(self):
            return
        loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._ends_at = loop.time() + MAX_DURATION * uniform(0.9, 1)
        try:
            # Those who lose their streams together do not come back together.
            yield f"retry: {round(uniform(1000, 4000))}\n\n".encode()
            for missed in await self._host.join(self):
                yield missed
            while loop.time() < self._ends_at and (event := await self._next()) is not None:
                yield event
        finally:
            self.close()

    def begin(self, known: dict[Key, str]) -> None:
        """Take over the versions that the client knows already."""
        self._known.update(known)

    def offer(self, change: Change) -> bool:
        """Let the client be told, if it does not know it yet; return false if too much is waiting for it."""
        if self._known.get(change.key) == change.version:
            return True
        self._known[change.key] = change.version
        try:
            self._waiting.put_nowait(self.following.tell(change))
        except asyncio.QueueFull:
            return False
        return True

    def end(self) -> None:
        """Let the stream end as soon as the client has taken what it is being sent; what waits comes by its cursor."""
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._waiting.put_nowait(None)

    def drop(self) -> None:
        """Tear the stream off, whatever it is at."""
        if self._task is not None:
            self._task.cancel()

    def close(self) -> None:
        """Forget the stream; again has no effect."""
        self._host.leave(self)

    async def _next(self) -> bytes | None:
        try:
            async with asyncio.timeout(PING_INTERVAL):
                return await self._waiting.get()
        except TimeoutError:
            return PING
