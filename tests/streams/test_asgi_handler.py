"""Errors that end a stream are in the log, and clients that go are not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from streams.asgi_handler import StreamingHandler
from streams.responses import EventStreamResponse

pytestmark = pytest.mark.once

SCOPE = {"type": "http", "method": "GET", "path": "/api/v1/stream/", "headers": []}


class FailingStream:
    """Sends one event, and then fails."""

    def __init__(self, error: BaseException) -> None:
        """Fail with this error."""
        self.error = error
        self.is_closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the event."""
        yield b"data: 1\n\n"
        raise self.error

    def close(self) -> None:
        """Note that the stream is closed."""
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
def test_an_error_that_ends_a_stream_is_logged(
    error: BaseException, lines: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
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
    monkeypatch.setattr(handler, "_answer", lambda scope, body: EventStreamResponse(stream))
    asyncio.run(asyncio.wait_for(handler(SCOPE, receive, send), 60))
    assert [message.get("body") for message in sent] == [None, b"data: 1\n\n"]
    assert stream.is_closed
    assert caplog.text.count("stream_failed") == lines
