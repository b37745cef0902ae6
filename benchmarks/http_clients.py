"""Matches, granian, and clients that send moves over HTTP and cost next to nothing."""

import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from selectors import EVENT_READ, DefaultSelector, SelectorKey
from socket import create_connection, socket
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Submission:
    """A move as its player sends it."""

    path: str
    secret: str
    body: bytes
    preference: str = "return=minimal"

    @property
    def request(self) -> bytes:
        """Return the whole HTTP request."""
        head = (
            f"POST {self.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.secret}\r\n"
            f"Prefer: {self.preference}\r\nContent-Type: application/json\r\nContent-Length: {len(self.body)}\r\n\r\n"
        )
        return head.encode() + self.body


Script = list[Submission]
"""The moves of one match."""


def start_by_correspondence(game: str, players: Sequence[Any], source: Random) -> Any:
    """Return a new match of two players, with the usual clock, whose dice follow from the source."""
    from django.utils import timezone

    from matches.clock import CORRESPONDENCE
    from matches.services import start_match

    return start_match(
        game=game,
        yellow=players[0],
        red=players[1],
        time_control=CORRESPONDENCE,
        now=timezone.now(),
        seed=source.randbytes(32),
    )


@contextmanager
def served(environment: dict[str, str], workers: int, threads: int) -> Iterator[int]:
    """Run the web as docs/operating.md says; gives the port."""
    with closing(socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["--port", str(port), "--workers", str(workers), "--threads", str(threads)]
    command = [sys.executable, "manage.py", "serve_web", *options]
    with tempfile.TemporaryFile() as log:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            try:
                await_answer(port, server)
            except ServerEndedError as error:
                log.seek(0)
                raise SystemExit(log.read().decode()) from error
            yield port
        finally:
            server.terminate()
            server.wait()


class ServerEndedError(Exception):
    """The server has ended before it answered."""


def await_answer(port: int, server: subprocess.Popen[bytes]) -> None:
    """Wait until the site answers, in every worker. Raises ``ServerEndedError``."""
    request = b"GET /api/v1/games/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answered = 0
    while answered < 20:
        try:
            with create_connection(("127.0.0.1", port)) as client:
                client.settimeout(10)
                answered += exchange(client, request) == 200
        except OSError as error:
            if server.poll() is not None:
                raise ServerEndedError from error
            time.sleep(0.1)


class Answer:
    """An HTTP response as it arrives."""

    def __init__(self) -> None:
        """Start with an empty response."""
        self._received = b""
        self._length = -1

    def take(self, part: bytes) -> int | None:
        """Add received bytes; return the status when the response is complete."""
        if not part:
            raise ConnectionError("the server has closed the connection")
        self._received += part
        if self._length < 0 and (end := self._received.find(b"\r\n\r\n")) >= 0:
            head = self._received[:end].lower()
            announced = head.partition(b"content-length: ")[2].split(b"\r\n")[0]
            self._length = end + 4 + int(announced)
        return int(self._received[9:12]) if len(self._received) == self._length else None


def exchange(client: socket, request: bytes) -> int:
    """Send a request and return the status when the whole answer is there."""
    client.sendall(request)
    answer = Answer()
    while (status := answer.take(client.recv(65536))) is None:
        pass
    return status


def play_over_http(matches: list[Script], clients: int, port: int) -> float:
    """Let clients send the moves of all matches; return the seconds until all are answered.

    As with a reverse proxy's connections, each sends the next move of whichever match has waited longest; the moves of
    a match come one after the other. All clients are in one thread, which sends what was written before: they should
    cost as little as can be.
    """
    waiting = deque(iter([submission.request for submission in match]) for match in matches)
    with ExitStack() as stack, DefaultSelector() as selector:
        for _ in range(clients):
            client = stack.enter_context(create_connection(("127.0.0.1", port)))
            selector.register(client, EVENT_READ)
        begun = time.perf_counter()
        for key in list(selector.get_map().values()):
            _send_next(key, selector, waiting)
        while selector.get_map():
            for key, _ in selector.select():
                answer, match = key.data
                status = answer.take(key.fileobj.recv(65536))  # type: ignore[union-attr]
                if status is None:
                    continue
                if status != 201:
                    raise SystemExit(f"A move was answered with {status}.")
                waiting.append(match)
                _send_next(key, selector, waiting)
        return time.perf_counter() - begun


def _send_next(key: SelectorKey, selector: DefaultSelector, waiting: deque[Iterator[bytes]]) -> None:
    """Send a waiting match's next move by a client; one for which nothing is left is done."""
    while waiting:
        match = waiting.popleft()
        if (request := next(match, None)) is not None:
            selector.modify(key.fileobj, EVENT_READ, (Answer(), match))
            key.fileobj.sendall(request)  # type: ignore[union-attr]
            return
    selector.unregister(key.fileobj)
