"""Connections of the servers by ASGI: headers have a deadline, and files stay free for what the process opens."""

import asyncio
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.flow_control import service_unavailable
from uvicorn.protocols.http.h11_impl import H11Protocol

from web.limits.open_files import max_connections

HEADERS_TIMEOUT = 10.0
"""Seconds from the first byte of a request, or from its connection, to the end of its headers."""

ACCEPTED_AT_ONCE = 8
"""The most connections that the event loop accepts in one turn: those that make room are closed some turns later."""

TIMED_OUT = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class BoundedProtocol(H11Protocol):
    """Closes connections that send no request in time.

    While few files are free, a new one takes the place of the one that has waited longest for a request. If none waits
    for one, it is answered with 503.
    """

    _waiting: ClassVar[dict["BoundedProtocol", None]] = {}
    """All connections of the process without a request, first those that have waited longest."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        if len(self.connections) > max_connections():
            if self._waiting:
                next(iter(self._waiting)).give_up()
            else:
                self.app = service_unavailable
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Go on waiting, or stop when the headers are whole."""
        super().data_received(data)
        self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request. Its time begins with it: until then the server's own limit holds."""
        super().on_response_complete()
        if self._has_no_request():
            self._waiting[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def give_up(self) -> None:
        """Close the connection, and say that it took too long."""
        self._stop_waiting()
        if not self.transport.is_closing():
            self.transport.write(TIMED_OUT)
            self.transport.close()

    def _has_no_request(self) -> bool:
        return self.conn.their_state is h11.IDLE and not self.transport.is_closing()

    def _wait(self) -> None:
        if not self._has_no_request():
            self._stop_waiting()
        elif self._deadline is None:
            self._waiting.setdefault(self)
            self._deadline = self.loop.call_later(HEADERS_TIMEOUT, self.give_up)

    def _stop_waiting(self) -> None:
        self._waiting.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
