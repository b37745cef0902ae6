"""The ASGI handler, for streams that last: an open stream holds no thread and no connection to the database."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog
from django.core.exceptions import RequestAborted
from django.http.response import HttpResponseBase

from streams.opening_threads import OpeningThreads
from streams.responses import EventStreamResponse
from web.requests.asgi_handler import ThreadedHandler, wait_until_gone

if TYPE_CHECKING:
    from streams.stream import Stream

URL_ENDING = "/stream/"

ATTEMPTS = 2
"""The most answers that a request is given: the second one, if the stream has no place any more, is a refusal."""

logger = structlog.get_logger(__name__)


class StreamingHandler(ThreadedHandler):
    """Answers requests for streams in threads of their own, whole, and sends events when their requests are over."""

    def __init__(self) -> None:
        super().__init__()
        self._threads: OpeningThreads[HttpResponseBase] = OpeningThreads()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].endswith(URL_ENDING):
            await super().__call__(scope, receive, send)
            return
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            response = await self._find_place(scope, body)
        if not isinstance(response, EventStreamResponse):
            await self.respond(response, receive, send)
            return
        stream = response.stream
        try:
            head = {"type": "http.response.start", "status": response.status_code, "headers": _headers(response)}
            # As long as the stream lasts only the stream is kept.
            del response
            await _send_until_gone(stream, head, receive, send)
        finally:
            stream.close()

    async def _find_place(self, scope: Any, body: Any) -> HttpResponseBase:
        """Return the response to a request. If it is a stream, it has been admitted.

        Other streams of the client may have been admitted since the view looked: then it looks again, and refuses. If
        the server is about to stop, the stream is not admitted and ends at once.
        """
        for _attempt in range(ATTEMPTS):
            response = await self._threads.run(partial(self.answer, scope, body))
            if not isinstance(response, EventStreamResponse) or response.stream.admit():
                break
            body.seek(0)
        return response


async def _send_until_gone(stream: Stream, head: dict[str, Any], receive: Any, send: Any) -> None:
    """Send a stream until it ends, or the client has gone."""
    sending = asyncio.create_task(_send(stream, head, send))
    gone = asyncio.create_task(wait_until_gone(receive))
    try:
        await asyncio.wait((sending, gone), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, gone):
            task.cancel()
        for error in await asyncio.gather(sending, gone, return_exceptions=True):
            # An error of a client that has gone is no fault of the site.
            if isinstance(error, Exception) and not isinstance(error, OSError):
                logger.error("stream_failed", exc_info=error)


async def _send(stream: Stream, head: dict[str, Any], send: Any) -> None:
    """Send a stream until it ends."""
    await send(head)
    async for event in stream:
        await send({"type": "http.response.body", "body": event, "more_body": True})
    await send({"type": "http.response.body"})


def _headers(response: HttpResponseBase) -> list[tuple[bytes, bytes]]:
    cookies = [("Set-Cookie", each.output(header="").strip()) for each in response.cookies.values()]
    return [(name.encode("ascii"), value.encode("latin1")) for name, value in (*response.items(), *cookies)]
