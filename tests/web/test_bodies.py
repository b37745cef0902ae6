"""Bodies are refused by the length that they announce, and cut off by what has come, whichever server takes them."""

import asyncio
import json
import socket
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver

from tests.served import Served
from web.limits.bodies import asgi, wsgi
from web.limits.bodies.errors import IMPORTS, REFUSAL

PROBLEM = "application/problem+json"
HUGE = 5_000_000_000
TIMEOUT = 20.0


def talk(port: int, head: str, parts: Iterable[bytes] = (), *, until: bytes = b"\r\n\r\n") -> tuple[int, str]:
    """Send a request until it is answered; return the status and all that came until the server hung up."""
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as client:
        client.sendall(f"{head}\r\nHost: localhost\r\n\r\n".encode())
        client.setblocking(False)
        received = b""
        for part in parts:
            received += _take(client)
            if until in received:
                break
            client.setblocking(True)
            client.sendall(part)
            client.setblocking(False)
        client.settimeout(TIMEOUT)
        while more := client.recv(65536):
            received += more
    return int(received.split(b" ", 2)[1]), received.decode()


def _take(client: socket.socket) -> bytes:
    try:
        return client.recv(65536, socket.MSG_DONTWAIT)
    except BlockingIOError:
        return b""


def chunk(content: bytes) -> bytes:
    return f"{len(content):x}\r\n".encode() + content + b"\r\n"


def endless(content: bytes, *, to: Served) -> Iterator[bytes]:
    """Yield a hundred megabytes, which nobody should take; none of them may be spooled meanwhile."""
    for _ in range(100_000_000 // len(content)):
        assert spooled(to.process.pid) == []
        yield content


def spooled(process: int) -> list[str]:
    """Return what a process keeps in temporary files, which have no name any more."""
    found = []
    for link in Path(f"/proc/{process}/fd").iterdir():
        # One that has just been closed is gone.
        with suppress(FileNotFoundError):
            found.append(str(link.readlink()))
    return [file for file in found if file.startswith(tempfile.gettempdir()) and file.endswith("(deleted)")]


@pytest.mark.parametrize("path", ["/api/v1/guests/", "/log-in/"])
def test_a_huge_body_is_refused_before_any_of_it_is_kept(shared_site: Served, path: str) -> None:
    status, answer = talk(shared_site.port, f"POST {path} HTTP/1.1\r\nContent-Length: {HUGE}")
    assert (status, "connection: close" in answer) == (413, True)
    status, answer = talk(
        shared_site.port, f"POST {path} HTTP/1.1\r\nContent-Length: {HUGE}", endless(b"x" * 100_000, to=shared_site)
    )
    assert (status, "1,000,000 bytes" in answer) == (413, True)
    assert (PROBLEM in answer, "<h1>Not accepted</h1>" in answer) == ((True, False) if "api" in path else (False, True))


def test_a_body_in_chunks_is_cut_off_at_the_limit_and_read_below_it(shared_site: Served) -> None:
    head = "POST /api/v1/players/ HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked"
    status, answer = talk(shared_site.port, head, endless(chunk(b" " * 50_000), to=shared_site))
    assert (status, '"code": "too_large"' in answer) == (413, True)
    body = json.dumps({"username": "anna", "password": "correct horse 7"}).encode()
    parts = [chunk(body[:20]), chunk(body[20:]), b"0\r\n\r\n"]
    status, answer = talk(shared_site.port, f"{head}\r\nConnection: close", parts)
    assert (status, '"username":"anna"' in answer) == (201, True)


def test_headers_are_bounded_while_they_come(shared_site: Served) -> None:
    sent, received = 0, b""
    with socket.create_connection(("127.0.0.1", shared_site.port), timeout=TIMEOUT) as client:
        # A client that goes on sending to a server that has hung up is told so.
        with suppress(ConnectionError):
            client.sendall(b"GET /rules/ HTTP/1.1\r\nHost: localhost\r\nX-Large: ")
            while not received and sent < 20_000_000:
                client.sendall(b"x" * 20_000)
                sent += 20_000
                time.sleep(0.01)
                received = _take(client)
        client.setblocking(True)
        received = received or client.recv(65536)
    assert received.startswith(b"HTTP/1.1 400 ")
    assert sent < 20_000_000


def exchange(*, parts: list[bytes], path: str = "/", headers: list[tuple[bytes, bytes]] | None = None) -> Any:
    """Send a body through to an application that keeps what it was given; its scope, the body and what was answered."""
    seen: dict[str, Any] = {}
    sent: list[dict[str, Any]] = []
    waiting = [{"type": "http.request", "body": part, "more_body": True} for part in parts]

    async def receive() -> dict[str, Any]:
        if not waiting:
            await asyncio.get_running_loop().create_future()
        return waiting.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while (message := await receive())["more_body"]:
            body += message["body"]
        seen.update(scope=scope, body=body + message["body"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"refused"})

    scope = {"type": "http", "path": path, "headers": headers or []}
    asyncio.run(asgi.BoundedBodies(application)(scope, receive, send))
    return seen["scope"].get(REFUSAL), seen["body"], sent


def test_a_body_that_stalls_is_given_up(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.BODY_TIMEOUT = 0.05
    monkeypatch.setattr(asgi, "LINGER_TIMEOUT", 0.05)
    refusal, body, sent = exchange(parts=[b"a", b"b"], headers=[(b"content-length", b"3")])
    assert (refusal.code, body) == ("body_timeout", b"ab")
    assert (b"connection", b"close") in sent[0]["headers"]
    assert sent[1:] == [
        {"type": "http.response.body", "body": b"refused", "more_body": True},
        {"type": "http.response.body"},
    ]


@pytest.mark.parametrize(("path", "accepted"), [("/", 4), ("/api/v1/replays/", 6), ("/organise/cup/import/", 6)])
def test_a_body_may_be_as_large_as_its_path_allows(
    path: str, accepted: int, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAX_BODY_SIZE, settings.MAX_IMPORT_SIZE = 4, 6
    settings.BODY_TIMEOUT = 0.05
    monkeypatch.setattr(asgi, "LINGER_TIMEOUT", 0.05)
    refusal, body, _sent = exchange(parts=[b"x"] * 7, path=path)
    assert (refusal.code, len(body)) == ("too_large", accepted)


def under_wsgi(body: bytes, **more: str) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return the environment that an application is given, and the headers that are answered."""
    seen: dict[str, Any] = {}
    answered: list[tuple[str, str]] = []

    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.update(environ)
        start_response("200 OK", [("X-Answered", "1")])
        return []

    environ = {"PATH_INFO": "/", "wsgi.input": BytesIO(body), **more}
    wsgi.BoundedBodies(application)(environ, lambda status, headers: answered.extend(headers))
    return seen, answered


def test_under_wsgi_a_body_in_chunks_has_a_length(settings: Any) -> None:
    settings.MAX_BODY_SIZE = 4
    seen, answered = under_wsgi(b"four", HTTP_TRANSFER_ENCODING="chunked")
    assert (seen["CONTENT_LENGTH"], seen["wsgi.input"].read(), REFUSAL in seen) == ("4", b"four", False)
    assert answered == [("X-Answered", "1")]


@pytest.mark.parametrize("headers", [{"HTTP_TRANSFER_ENCODING": "chunked"}, {"CONTENT_LENGTH": "5"}])
def test_under_wsgi_too_large_a_body_is_not_passed_on(headers: dict[str, str], settings: Any) -> None:
    settings.MAX_BODY_SIZE = 4
    seen, answered = under_wsgi(b"fives", **headers)
    assert (seen[REFUSAL].code, seen["wsgi.input"].read()) == ("too_large", b"")
    assert ("Connection", "close") in answered


def test_under_wsgi_half_a_body_is_not_passed_on() -> None:
    seen, _answered = under_wsgi(b"name=an", CONTENT_LENGTH="14")
    assert (seen[REFUSAL].code, seen["wsgi.input"].read()) == ("body_timeout", b"")


def test_under_wsgi_a_body_is_not_read_while_too_many_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wsgi, "MAX_READ", 0)
    seen, answered = under_wsgi(b"five", CONTENT_LENGTH="4")
    assert (seen[REFUSAL].code, seen["wsgi.input"].read()) == ("body_timeout", b"")
    assert ("Connection", "close") in answered


@pytest.mark.django_db
def test_a_page_says_that_the_body_is_too_large_whatever_the_server(client: Client, settings: Any) -> None:
    settings.MAX_BODY_SIZE = 1000
    response = client.post("/log-in/", {"username": "x" * 1000})
    assert (response.status_code, response["Content-Type"]) == (413, "text/html; charset=utf-8")
    assert "larger than 1,000 bytes" in response.content.decode()
    assert "default-src 'none'" in response["Content-Security-Policy"]


def all_routes(patterns: Any, above: str = "/") -> Iterator[str]:
    for pattern in patterns:
        route = above + str(pattern.pattern).removeprefix("^")
        if isinstance(pattern, URLResolver):
            yield from all_routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield route


def test_more_is_accepted_only_where_lists_and_records_are_imported() -> None:
    taking = {route for route in all_routes(get_resolver().url_patterns) if IMPORTS.search(route)}
    assert taking == {
        "/api/v1/replays/",
        "/replay/",
        "/api/v1/competitions/<slug:slug>/import/",
        "/cups/<slug:slug>/organise/import/",
        "/ladders/<slug:slug>/organise/import/",
    }
