"""Streams that have no place are refused; errors that end one are in the log, and clients that go are not."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from django.http import HttpResponse
from django.http.response import HttpResponseBase

from streams.asgi_handler import StreamingHandler
from streams.responses import EventStreamResponse
from streams.stream import Stream
from streams.subscriptions import MatchSubscription

SCOPE = {"type": "http", "method": "GET", "path": "/api/v1/stream/", "headers": []}


class FailingStream:
    """Sends one event, and then fails."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.is_closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield b"data: 1\n\n"
        raise self.error

    def admit(self) -> bool:
        return True

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize(
    ("error", "lines"),
    [
        (AssertionError("a fault of ours"), 1),
        (ConnectionResetError("the client has gone"), 0),
        (asyncio.CancelledError(), 0),
    ],
    ids=["fault", "gone", "cancelled"],
)
async def test_an_error_that_ends_a_stream_is_logged(error, lines, monkeypatch, caplog):
    stream: Any = FailingStream(error)
    requests: Iterator[dict[str, Any]] = iter([{"type": "http.request", "body": b"", "more_body": False}])
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if (message := next(requests, None)) is not None:
            return message
        await asyncio.Event().wait()
        raise AssertionError("nothing else comes")

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    handler = StreamingHandler()
    monkeypatch.setattr(handler, "answer", lambda scope, body: EventStreamResponse(stream))
    await handler(SCOPE, receive, send)
    assert [message.get("body") for message in sent] == [None, b"data: 1\n\n"]
    assert stream.is_closed
    assert caplog.text.count("stream_failed") == lines


class Host:
    """Admits so many streams."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.streams: set[Stream] = set()

    def has_room(self) -> bool:
        return len(self.streams) < self.places

    def admit(self, stream: Stream) -> bool:
        if stream not in self.streams and not self.has_room():
            return False
        self.streams.add(stream)
        return True

    async def join(self, stream: Stream) -> list[bytes]:
        return []

    def moment(self) -> None:
        return None

    def leave(self, stream: Stream) -> None:
        self.streams.discard(stream)


class Together:
    """Answers so many requests before anybody gets an answer, and those that come later at once."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.begun, self.all_there = asyncio.Event(), asyncio.Event()
        self.answered = 0

    async def run(self, find: Callable[[], HttpResponseBase]) -> HttpResponseBase:
        answer = find()
        self.answered += 1
        self.begun.set()
        if self.answered == self.number:
            self.all_there.set()
        await self.all_there.wait()
        return answer


class Visit:
    """A client that opens a stream, and goes when it is told to."""

    def __init__(self) -> None:
        self.status = 0
        self.body = b""
        self.has_chunk = asyncio.Event()
        self.goes = asyncio.Event()
        self._has_asked = False

    async def receive(self) -> dict[str, Any]:
        """Return the request, and later that the client has gone."""
        if not self._has_asked:
            self._has_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.goes.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        self.status = message.get("status", self.status)
        self.body += message.get("body", b"")
        if "body" in message:
            self.has_chunk.set()


@pytest.fixture
def serve(monkeypatch):
    """Return a handler whose view looks at the places of a host."""

    def make(host: Host, threads: Any) -> StreamingHandler:
        def answer(scope: Any, body: Any) -> HttpResponseBase:
            assert body.read() == b""
            if not host.has_room():
                return HttpResponse("Close one of them.", status=429)
            return EventStreamResponse(Stream(host, MatchSubscription(1, ""), "somebody"))

        handler = StreamingHandler()
        monkeypatch.setattr(handler, "answer", answer)
        monkeypatch.setattr(handler, "_threads", threads)
        return handler

    return make


async def test_of_streams_that_are_opened_together_those_without_a_place_are_refused(serve):
    host = Host(places=2)
    handler = serve(host, Together(10))
    visits = [Visit() for _ in range(10)]
    serving = [asyncio.create_task(handler(SCOPE, visit.receive, visit.send)) for visit in visits]
    for visit in visits:
        await visit.has_chunk.wait()
    assert Counter(visit.status for visit in visits) == {200: 2, 429: 8}
    assert {visit.body for visit in visits if visit.status == 429} == {b"Close one of them."}
    assert len(host.streams) == 2
    for visit in visits:
        visit.goes.set()
    await asyncio.gather(*serving)
    assert not host.streams


async def test_a_client_that_goes_before_its_answer_comes_has_no_place(serve):
    host, threads = Host(places=2), Together(2)
    handler, visit = serve(host, threads), Visit()
    gone = asyncio.create_task(handler(SCOPE, visit.receive, visit.send))
    await threads.begun.wait()
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    assert not host.streams

    async def fail(message: dict[str, Any]) -> None:
        raise ConnectionResetError("the client has gone")

    await handler(SCOPE, Visit().receive, fail)
    assert (threads.answered, host.streams) == (2, set())


async def test_a_stream_that_a_server_about_to_stop_does_not_admit_ends_at_once(serve, monkeypatch):
    host, visit, threads = Host(places=2), Visit(), Together(1)
    monkeypatch.setattr(host, "admit", lambda stream: False)
    await serve(host, threads)(SCOPE, visit.receive, visit.send)
    assert (visit.status, visit.body, threads.answered) == (200, b"", 2)
