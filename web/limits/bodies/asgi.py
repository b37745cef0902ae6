"""Limits the bodies of requests under ASGI, where the whole body is stored before Django sees the request."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from django.conf import settings

from web.errors import DomainError
from web.limits.bodies.errors import REFUSAL, BodyTooLarge, BodyTooSlow, max_size_of, read_length

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Any, Any], Awaitable[None]]

END = {"type": "http.request", "body": b"", "more_body": False}

LINGER_TIMEOUT = 2.0
"""The seconds for which the rest of a refused body is read and discarded: a client whose connection is closed while it
sends may never read the response."""


class BoundedBodies:
    """Passes requests on to an application, without bodies that are too large or too slow.

    The scope of such a request holds the refusal. When it is answered the connection is closed.
    """

    def __init__(self, application: Application) -> None:
        """Wrap the application."""
        self._application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one request."""
        exchange = _Exchange(scope, receive, send)
        await self._application(exchange.scope, exchange.receive, exchange.send)


class _Exchange:
    """One request and its response."""

    def __init__(self, scope: Message, receive: Receive, send: Send) -> None:
        self.scope = {**scope, "headers": list(scope["headers"])}
        self._receive = receive
        self._send = send
        self._size = 0
        self._max_size = max_size_of(scope["path"])
        self._has_ended = False
        self._deadline = asyncio.get_running_loop().time() + settings.BODY_TIMEOUT
        lengths = [read_length(value) for name, value in scope["headers"] if name == b"content-length"]
        self._refusal: DomainError | None = None
        if max(lengths, default=0) > self._max_size:
            self._refuse(BodyTooLarge(self._max_size))

    async def receive(self) -> Message:
        """Return the next part of the body, or its end if it is refused; then wait for the client to disconnect."""
        if self._has_ended:
            if self._refusal is not None:
                await asyncio.get_running_loop().create_future()
            return await self._receive()
        message = END if self._refusal is not None else await self._receive_body()
        self._has_ended = not message.get("more_body")
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the response; close the connection after the response to a refused body."""
        if self._refusal is not None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
            elif not message.get("more_body"):
                await self._send({**message, "more_body": True})
                await self._linger()
                message = {"type": "http.response.body"}
        await self._send(message)

    async def _receive_body(self) -> Message:
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            return self._refuse(BodyTooSlow(settings.BODY_TIMEOUT))
        self._size += len(message.get("body", b""))
        if self._size > self._max_size:
            return self._refuse(BodyTooLarge(self._max_size))
        if message["type"] == "http.request" and not message.get("more_body"):
            self._state_length()
        return message

    def _refuse(self, refusal: DomainError) -> Message:
        self._refusal = self.scope[REFUSAL] = refusal
        return END

    def _state_length(self) -> None:
        """Set the length of a chunked body: Django takes a body without a length for empty."""
        names = {name for name, _value in self.scope["headers"]}
        if b"transfer-encoding" in names:
            others = [header for header in self.scope["headers"] if header[0] != b"content-length"]
            self.scope["headers"] = [*others, (b"content-length", str(self._size).encode())]

    async def _linger(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER_TIMEOUT):
                while (await self._receive()).get("more_body"):
                    pass
