"""A uvicorn server that stops at once although streams are open."""

from __future__ import annotations

import socket

import uvicorn

from streams.hub import hub

STOP_TIMEOUT = 5
"""Seconds that other requests have to end."""


class StreamServer(uvicorn.Server):
    """Serves the site by ASGI from this process, whose main thread owns the signals."""

    def __init__(self, *, host: str = "127.0.0.1", port: int = 8000) -> None:
        super().__init__(
            uvicorn.Config(
                "config.asgi:application",
                host=host,
                port=port,
                lifespan="off",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=STOP_TIMEOUT,
            )
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then the server."""
        hub.close()
        await super().shutdown(sockets)
