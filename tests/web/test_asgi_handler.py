"""Requests over ASGI are answered by a few threads that stay, and a streamed response leaves no connection behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from io import BytesIO
from threading import Barrier, current_thread
from typing import Any

import pytest
from django.core.signals import request_finished
from django.db import connections
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from web.asgi_handler import WEB_THREADS, ThreadedHandler

pytestmark = pytest.mark.once

SCOPE = {"type": "http", "method": "GET", "path": "/", "headers": []}


def answered_by(
    view: Callable[[], HttpResponseBase], monkeypatch: pytest.MonkeyPatch
) -> Callable[[], list[dict[str, Any]]]:
    """Return a function that sends a request to a handler with this view, and returns the parts of the response."""
    handler = ThreadedHandler()
    monkeypatch.setattr(handler, "get_response", lambda request: view())

    async def ask() -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await handler(SCOPE, receive, send)
        return sent

    return lambda: asyncio.run(asyncio.wait_for(ask(), 60))


def test_requests_that_follow_each_other_are_answered_by_the_same_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = answered_by(lambda: HttpResponse(current_thread().name), monkeypatch)
    names = {ask()[1]["body"] for _ in range(20)}
    assert len(names) == 1
    assert current_thread().name.encode() not in names


def test_so_many_requests_are_answered_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    together = Barrier(WEB_THREADS, timeout=60)
    handler = ThreadedHandler()
    monkeypatch.setattr(handler, "get_response", lambda request: HttpResponse(str(together.wait())))

    async def ask_all() -> list[Any]:
        return await asyncio.gather(*(handler.find_response(SCOPE, BytesIO()) for _ in range(WEB_THREADS)))

    answers = asyncio.run(ask_all())
    assert sorted(int(answer.content) for answer in answers) == list(range(WEB_THREADS))


def test_a_whole_response_is_closed_in_the_thread_that_found_it(monkeypatch: pytest.MonkeyPatch) -> None:
    finished: list[str] = []

    def note(**_about: object) -> None:
        finished.append(current_thread().name)

    request_finished.connect(note)
    try:
        (_head, part) = answered_by(lambda: HttpResponse(current_thread().name), monkeypatch)()
    finally:
        request_finished.disconnect(note)
    assert [name.encode() for name in finished] == [part["body"]]


def test_the_thread_of_a_streamed_response_ends_without_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    async def parts() -> AsyncIterator[str]:
        yield "one "
        yield "two"

    monkeypatch.setattr(connections, "close_all", lambda: closed.append(current_thread().name))
    sent = answered_by(lambda: StreamingHttpResponse(parts()), monkeypatch)()
    assert b"".join(part.get("body", b"") for part in sent) == b"one two"
    assert len(closed) == 1
    assert not closed[0].startswith("web")


def test_a_client_that_goes_while_it_sends_gets_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    handler = ThreadedHandler()
    monkeypatch.setattr(handler, "get_response", lambda request: pytest.fail("there is no request"))

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        raise AssertionError("nobody is there")

    asyncio.run(handler(SCOPE, receive, send))


def test_only_http_is_answered() -> None:
    async def nothing(*_: object) -> None:
        raise AssertionError("nothing is read or sent")

    with pytest.raises(ValueError, match="not websocket"):
        asyncio.run(ThreadedHandler()({"type": "websocket"}, nothing, nothing))
