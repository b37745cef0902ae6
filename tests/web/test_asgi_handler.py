"""Requests over ASGI are answered by a few threads that stay, and a streamed response leaves no connection behind."""

import asyncio
from collections.abc import AsyncIterator, Callable
from io import BytesIO
from threading import Barrier, Event, current_thread, get_ident
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.core.signals import request_finished
from django.db import connections
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from web.requests.asgi_handler import WEB_THREADS, ThreadedHandler

END_OF_REQUEST: dict[str, Any] = {"type": "http.request", "body": b"", "more_body": False}
SCOPE = {"type": "http", "method": "GET", "path": "/", "headers": []}


def answered_by(
    view: Callable[[], HttpResponseBase], monkeypatch: pytest.MonkeyPatch
) -> Callable[[], list[dict[str, Any]]]:
    """Return a function that sends a request to a handler with this view, and returns the parts of the response."""
    handler = ThreadedHandler()
    monkeypatch.setattr(handler, "get_response", lambda request: view())

    async def ask() -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []
        requests = iter([END_OF_REQUEST])

        async def receive() -> dict[str, Any]:
            return next(requests, None) or await asyncio.get_running_loop().create_future()

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await handler(SCOPE, receive, send)
        return sent

    return lambda: asyncio.run(asyncio.wait_for(ask(), 60))


def test_requests_that_follow_each_other_are_answered_by_threads_that_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    ask = answered_by(lambda: HttpResponse(str(get_ident())), monkeypatch)
    threads = {ask()[1]["body"] for _ in range(3 * WEB_THREADS)}
    assert len(threads) <= WEB_THREADS
    assert str(get_ident()).encode() not in threads


def test_requests_that_wait_in_all_threads_that_stay_hold_up_no_other_request(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting, others = Barrier(WEB_THREADS + 1, timeout=60), Event()
    closed: list[str] = []
    handler = ThreadedHandler()

    def view(request: ASGIRequest) -> HttpResponse:
        if request.path == "/slow/":
            waiting.wait()
            assert others.wait(60)
        return HttpResponse(current_thread().name)

    async def ask_all() -> list[str]:
        slow = [
            asyncio.create_task(handler.find_response(SCOPE | {"path": "/slow/"}, BytesIO()))
            for _ in range(WEB_THREADS)
        ]
        await asyncio.get_running_loop().run_in_executor(None, waiting.wait)
        answers: list[Any] = [await handler.find_response(SCOPE, BytesIO()) for _ in range(3)]
        others.set()
        await asyncio.gather(*slow)
        answers.append(await handler.find_response(SCOPE, BytesIO()))
        return [answer.content.decode() for answer in answers]

    monkeypatch.setattr(handler, "get_response", view)
    monkeypatch.setattr(connections, "close_all", lambda: closed.append(current_thread().name))
    *alone, after = asyncio.run(ask_all())
    assert [name[: len("alone")] for name in alone] == ["alone"] * 3
    assert closed == alone
    assert after.startswith("web")


def test_a_client_that_goes_ends_what_is_streamed_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []
    handler = ThreadedHandler()

    async def parts() -> AsyncIterator[str]:
        yield "one "
        await asyncio.get_running_loop().create_future()

    async def ask() -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []
        has_part = asyncio.Event()
        requests = iter([END_OF_REQUEST])

        async def receive() -> dict[str, Any]:
            if (message := next(requests, None)) is not None:
                return message
            await has_part.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)
            if message.get("body"):
                has_part.set()

        await handler(SCOPE, receive, send)
        return sent

    monkeypatch.setattr(handler, "get_response", lambda request: StreamingHttpResponse(parts()))
    monkeypatch.setattr(connections, "close_all", lambda: closed.append(current_thread().name))
    _head, part = asyncio.run(asyncio.wait_for(ask(), 60))
    assert part["body"] == b"one "
    assert len(closed) == 1


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
