"""Slow clients: headers that never end, and bodies of which a byte comes now and then."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from socket import create_connection, socket

HALVES = 300
BODIES = 30

HALF = b"GET / HTTP/1.1\r\nHost: local"
SLOW = (
    b"POST /api/v1/replays/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 9000\r\n\r\n{"
)


@contextmanager
def slow_clients(port: int, *, timeout: float) -> Iterator[Callable[[], None]]:
    """Hold connections to a server open without ending a request; gives what sends one more byte of each body."""
    with ExitStack() as stack:

        def connect(sent: bytes) -> socket:
            client = stack.enter_context(create_connection(("127.0.0.1", port), timeout=timeout))
            client.sendall(sent)
            return client

        for _ in range(HALVES):
            connect(HALF)
        slow = [connect(SLOW) for _ in range(BODIES)]

        def send_bytes() -> None:
            for client in slow:
                with suppress(OSError):
                    client.sendall(b" ")

        yield send_bytes
