"""Server-sent events as a client reads them."""

import json
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from socket import SHUT_RDWR
from typing import Any

TIMEOUT = 30.0


@dataclass(frozen=True)
class Event:
    """One event."""

    id: str
    name: str
    data: dict[str, Any]


def parse(text: str) -> Event | None:
    """Return the event that a block of lines is, if it is one."""
    fields = dict(line.split(": ", 1) for line in text.splitlines() if line[:1] not in ("", ":"))
    if "event" not in fields:
        return None
    return Event(fields.get("id", ""), fields["event"], json.loads(fields["data"]))


class Client:
    """Keeps a stream open, reading in a thread of its own, until it is closed."""

    def __init__(self, port: int, path: str, *, secret: str = "", last: str = "", cookie: str = "") -> None:
        self.status = 0
        self.headers: Mapping[str, str] = {}
        self.body = b""
        self.events: list[Event] = []
        self.ended_at: float | None = None
        self._news = threading.Condition()
        self._connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        headers = {"Accept": "text/event-stream"}
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        if cookie:
            headers["Cookie"] = cookie
        if last:
            headers["Last-Event-ID"] = last
        self._connection.request("GET", f"/api/v1/{path}", headers=headers)
        self._response = self._connection.getresponse()
        self.status = self._response.status
        self.headers = dict(self._response.getheaders())
        if self.status == 200:
            self._thread = threading.Thread(target=self._read, daemon=True)
            self._thread.start()
        else:
            self.body = self._response.read()
            self._connection.close()

    def wait(self, condition: Callable[[list[Event]], object]) -> list[Event]:
        """Return all events, once the condition holds for them."""
        with self._news:
            assert self._news.wait_for(lambda: condition(self.events), TIMEOUT), self.events
            return list(self.events)

    def wait_for_end(self) -> float:
        """Return when the server ended the stream."""
        with self._news:
            assert self._news.wait_for(lambda: self.ended_at is not None, TIMEOUT)
            return self.ended_at or 0.0

    def close(self) -> None:
        """Go away; again has no effect."""
        if self.status == 200 and self._thread.is_alive():
            with suppress(OSError):
                self._connection.sock.shutdown(SHUT_RDWR)
            self._thread.join(TIMEOUT)
        self._connection.close()

    def _read(self) -> None:
        block = ""
        with suppress(OSError, HTTPException):
            while line := self._response.readline().decode():
                block += line
                if line == "\n":
                    with self._news:
                        self.events += filter(None, [parse(block)])
                        self._news.notify_all()
                    block = ""
        self._response.close()
        with self._news:
            self.ended_at = time.monotonic()
            self._news.notify_all()
