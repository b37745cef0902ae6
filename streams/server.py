"""A uvicorn server that stops at once although streams are open, and seldom wakes while nobody sends anything."""

import asyncio
import os
import socket
from contextlib import suppress
from types import FrameType

import uvicorn

from streams.bounded_protocol import ACCEPTED_AT_ONCE, BoundedProtocol
from streams.hub import hub
from web.limits.open_files import allow_enough_files

CONNECTION_QUEUE = 2048
"""How many connections wait until they are accepted."""

STOP_TIMEOUT = 5
"""Seconds that other requests have to end."""

TICK_INTERVAL = 1.0
"""Seconds after which uvicorn is asked for what it does once a second, such as the date of its answers."""


class StreamServer(uvicorn.Server):
    """Serves the site by ASGI from this process, whose main thread owns the signals."""

    def __init__(self, *, host: str = "127.0.0.1", port: int = 8000) -> None:
        super().__init__(
            uvicorn.Config(
                "config.asgi:application",
                host=host,
                port=port,
                http=BoundedProtocol,
                backlog=ACCEPTED_AT_ONCE,
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=STOP_TIMEOUT,
            )
        )
        self._has_to_stop: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, with room for many who wait although few are accepted at once."""
        allow_enough_files()
        await super().startup(sockets)
        for listener in [each for server in getattr(self, "servers", ()) for each in server.sockets]:
            with socket.socket(fileno=os.dup(listener.fileno())) as same:
                same.listen(CONNECTION_QUEUE)

    async def main_loop(self) -> None:
        """Wait until the server has to stop. Uvicorn's own loop wakes ten times a second to see whether it has."""
        stopping = asyncio.Event()
        self._has_to_stop = asyncio.get_running_loop(), stopping
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                async with asyncio.timeout(TICK_INTERVAL):
                    await stopping.wait()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Let a signal stop the server at once."""
        super().handle_exit(sig, frame)
        if self._has_to_stop is not None:
            loop, stopping = self._has_to_stop
            loop.call_soon_threadsafe(stopping.set)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then the server."""
        hub.close()
        await super().shutdown(sockets)
