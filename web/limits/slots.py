"""Slots for requests under WSGI: only so many at a time use the database, and no other request waits for these.

The server has more threads than slots. While the database hangs, those that wait for it hold all slots; the others
refuse at once what needs one, and go on answering what needs none.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import get_ident
from time import monotonic
from typing import Any

from django.db import connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from web.requests.outages import ServerFullError

SLOT_TIMEOUT = 3.0
"""Seconds in which no slot is taken or given back, after which requests are no longer kept waiting for one."""

WITHOUT_DATABASE = ("/health/live", "/static/")
"""How the paths begin of what is answered without the database."""

REFUSED = "kickabout.refused"
"""The key of an environment under which stands why its request gets no slot."""

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Connections = dict[str, Any]


class Slots:
    """Passes requests on to an application, so many at a time. A slot keeps its connections, whatever thread has it."""

    def __init__(self, application: Application, number: int) -> None:
        """Wrap the application."""
        self._application = application
        self._free: SimpleQueue[Connections] = SimpleQueue()
        self._moved_at = monotonic()
        for _ in range(number):
            self._free.put({})

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Serve one request."""
        if REFUSED in environ or environ["PATH_INFO"].startswith(WITHOUT_DATABASE):
            return self._application(environ, start_response)
        slot = self._take()
        if slot is None:
            return self._application(
                environ | {REFUSED: "No thread is free: all are waiting for the database."}, start_response
            )
        _use(slot)
        try:
            return _finish(self._application(environ, start_response))
        finally:
            self._give_back()

    def _take(self) -> Connections | None:
        """Return a slot as soon as one is free, or nothing if all have been held for a while."""
        left = 0.0
        while left >= 0.0:
            with suppress(Empty):
                slot = self._free.get(timeout=left)
                self._moved_at = monotonic()
                return slot
            left = self._moved_at + SLOT_TIMEOUT - monotonic()
        return None

    def _give_back(self) -> None:
        slot = {each.alias: each for each in connections.all(initialized_only=True)}
        for alias in slot:
            del connections[alias]
        self._moved_at = monotonic()
        self._free.put(slot)


class SlotsMiddleware:
    """Refuses requests for which no slot was free, as it refuses them while the database is away."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response. Raises ``ServerFullError``."""
        if REFUSED in request.META:
            raise ServerFullError(request.META[REFUSED])
        return self.get_response(request)


def closing(start_response: Callable[..., Any]) -> Callable[..., Any]:
    """Return a ``start_response`` with which the connection is closed after the answer."""

    def close_after(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
        return start_response(status, [*headers, ("Connection", "close")], *more)

    return close_after


def _finish(answer: Any) -> Iterable[bytes]:
    """Return the parts of an answer. One that is whole is closed here: the server may do that in another thread."""
    if getattr(answer, "streaming", True):
        return _stream(answer)
    try:
        return [answer.content]
    finally:
        answer.close()


def _stream(answer: Any) -> Iterator[bytes]:
    """Yield the parts of an answer that is made while it is sent: over a connection of its own, as it has no slot."""
    try:
        yield from answer
    finally:
        if hasattr(answer, "close"):
            answer.close()
        connections.close_all()


def _use(slot: Connections) -> None:
    """Let this thread use the connections of a slot, which it alone has."""
    for alias, connection in slot.items():
        connection._thread_ident = get_ident()  # noqa: SLF001 - Django lets several threads share, not one hand over
        connections[alias] = connection
