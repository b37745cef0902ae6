"""Whoever sends slowly, or nothing, holds nobody else up, at real servers without a proxy in front."""

import asyncio
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.flow_control import service_unavailable

from streams import bounded_protocol
from streams.bounded_protocol import BoundedProtocol
from tests.config.test_serve_web import Web
from tests.plugins.real_servers import children
from tests.served import Served
from web.limits.open_files import KEPT_FREE

TIMEOUT = 20.0
HALF = b"GET / HTTP/1.1\r\nHost: local"
SLOW = b"POST /api/v1/players/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n{"
PAGES = ("/health/live", "/rules/", "/api/v1/games/")
FILES = 256


@contextmanager
def started(data: Path, *command: str, files: int = 0, **environment: str) -> Iterator[Web]:
    server = Web(data, *command, files=files, **environment)
    try:
        server.await_answer()
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="module", params=["serve", "serve_streams", "serve_web"])
def port(request: Any, shared_site: Served, untouched_site: Path, tmp_path_factory: Any) -> Iterator[int]:
    if request.param == "serve":
        yield shared_site.port
        return
    data = Path(shutil.copytree(untouched_site, tmp_path_factory.mktemp("crowded") / "data"))
    with started(data, request.param) as server:
        yield server.port


def connect(stack: ExitStack, port: int, sent: bytes) -> socket.socket:
    client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT))
    client.sendall(sent)
    return client


def ask(port: int, path: str) -> int:
    """Return the status of an answer."""
    with ExitStack() as stack:
        asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        return int(connect(stack, port, asked.encode()).recv(65536).split(b" ", 2)[1])


def most_open_files(server: Web) -> int:
    processes = [server.process.pid, *children(server.process.pid)]
    return max(len(list(Path(f"/proc/{process}/fd").iterdir())) for process in processes)


def test_half_sent_headers_hold_nobody_up(port: int) -> None:
    with ExitStack() as stack:
        for _ in range(1200):
            connect(stack, port, HALF)
        assert [ask(port, path) for path in PAGES] == [200] * 3


def test_slow_bodies_hold_nobody_up(port: int) -> None:
    with ExitStack() as stack:
        slow = [connect(stack, port, SLOW) for _ in range(24)]
        for _ in range(3):
            assert [ask(port, path) for path in PAGES] == [200] * 3
            for client in slow:
                client.sendall(b" ")
            time.sleep(1)


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["serve"], id="single"),
        pytest.param(["serve_streams"], id="streams", marks=pytest.mark.nightly),
        pytest.param(["serve_web", "--workers", "1"], id="web", marks=pytest.mark.nightly),
    ],
)
def test_bodies_that_never_end_are_given_up(command: list[str], untouched_site: Path, tmp_path: Path) -> None:
    data = Path(shutil.copytree(untouched_site, tmp_path / "data"))
    with started(data, *command, BODY_TIMEOUT="2") as server, ExitStack() as stack:
        slow = [connect(stack, server.port, SLOW) for _ in range(60)]
        json = b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        posted = b"POST /api/v1/guests/ HTTP/1.1\r\nHost: localhost\r\n" + json
        assert connect(stack, server.port, posted).recv(65536).startswith(b"HTTP/1.1 201 ")
        for client in slow:
            answer = client.makefile("rb").read()
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert b'"code": "body_timeout"' in answer
        assert connect(stack, server.port, posted).recv(65536).startswith(b"HTTP/1.1 201 ")


@pytest.mark.parametrize(
    ("command", "sent"),
    [
        pytest.param(["serve_streams"], SLOW, id="streams"),
        pytest.param(["serve_web", "--workers", "1"], HALF, id="web", marks=pytest.mark.nightly),
    ],
)
def test_a_server_refuses_before_it_runs_out_of_files(
    command: list[str], sent: bytes, untouched_site: Path, tmp_path: Path
) -> None:
    data = Path(shutil.copytree(untouched_site, tmp_path / "data"))
    with started(data, *command, files=FILES) as server:
        with ExitStack() as stack:
            for _ in range(FILES):
                connect(stack, server.port, sent)
                if (status := ask(server.port, "/rules/")) != 200:
                    break
            assert status == 503
            assert most_open_files(server) <= FILES - KEPT_FREE
        end = time.monotonic() + TIMEOUT
        while ask(server.port, "/rules/") != 200:
            assert time.monotonic() < end


def test_who_waits_longest_with_half_a_request_makes_room(untouched_site: Path, tmp_path: Path) -> None:
    data = Path(shutil.copytree(untouched_site, tmp_path / "data"))
    with started(data, "serve_streams", files=FILES) as server, ExitStack() as stack:
        clients = [connect(stack, server.port, HALF) for _ in range(2 * FILES)]
        assert [ask(server.port, path) for path in PAGES] == [200] * 3
        assert most_open_files(server) <= FILES - KEPT_FREE
        assert clients[0].recv(100).startswith(b"HTTP/1.1 408 ")


def test_headers_have_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_protocol, "HEADERS_TIMEOUT", 0.2)

    async def talk() -> list[bytes]:
        config = uvicorn.Config(service_unavailable, port=0, http=BoundedProtocol, lifespan="off", log_config=None)
        server = uvicorn.Server(config)
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup()
        port = server.servers[0].sockets[0].getsockname()[1]
        answers = []
        for parts in ([b""], [HALF[:10], HALF[10:]], [HALF, b"host\r\n\r\n"]):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            for part in parts:
                writer.write(part)
                await asyncio.sleep(0.05)
            answers.append((await reader.read())[:13])
            writer.close()
        await server.shutdown()
        return answers

    assert asyncio.run(talk()) == [b"HTTP/1.1 408 ", b"HTTP/1.1 408 ", b"HTTP/1.1 503 "]
