"""``manage.py serve_web`` as a real server: it outlives its processes, and bounds the bodies of requests."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.plugins.real_servers import children
from tests.served import ROOT
from tests.web.test_bodies import HUGE, chunk, talk

TIMEOUT = 60.0


class Web:
    """A server, as a rule that of pages with two processes."""

    def __init__(self, data: Path, *command: str, files: int = 0, **environment: str) -> None:
        """Start it, with at most so many open files if a number is given."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        named = command or ("serve_web", "--workers", "2")
        command = (sys.executable, str(ROOT / "manage.py"), *named, "--port", str(self.port))
        if files:
            command = ("sh", "-c", f'ulimit -n {files}; exec "$@"', "sh", *command)
        environment |= {"PATH": os.environ["PATH"], "DATA_DIR": str(data)}
        self.log = data / "log"
        with self.log.open("wb") as written:
            self.process = subprocess.Popen(command, cwd="/", env=environment, stdout=written, stderr=written)

    def await_answer(self) -> None:
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health/live", timeout=5) as response:
                    assert response.status == 200
                    return
            except OSError:
                assert time.monotonic() < end, self.log.read_text()
                assert self.process.poll() is None, self.log.read_text()
                time.sleep(0.1)

    def kill(self) -> None:
        """End it: a supervisor that has replaced a process, or has kept connections, takes its time to stop."""
        processes = children(self.process.pid)
        self.process.kill()
        for process in processes:
            os.kill(process, signal.SIGKILL)
        self.process.wait(TIMEOUT)


@pytest.fixture(scope="module")
def web(untouched_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    web = Web(Path(shutil.copytree(untouched_site, tmp_path_factory.mktemp("web") / "data")))
    web.await_answer()
    yield web
    web.kill()


def test_a_process_that_dies_is_replaced_and_the_site_goes_on(web: Web) -> None:
    first = children(web.process.pid)
    assert len(first) == 2
    os.kill(first[0], signal.SIGKILL)
    end = time.monotonic() + TIMEOUT
    while len(now := {*children(web.process.pid)} - {first[0]}) < 2:
        assert time.monotonic() < end, web.log.read_text()
        time.sleep(0.1)
    assert first[1] in now
    web.await_answer()
    assert web.process.poll() is None


def test_connections_that_are_kept_shut_nobody_out(web: Web) -> None:
    with ExitStack() as stack:
        for _ in range(100):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", web.port), timeout=20))
            client.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert client.recv(12) == b"HTTP/1.1 200"


def test_bodies_are_bounded_here_too(web: Web) -> None:
    status, answer = talk(web.port, f"POST /api/v1/guests/ HTTP/1.1\r\nContent-Length: {HUGE}")
    assert (status, "connection: close" in answer, '"code": "too_large"' in answer) == (413, True, True)
    head = "POST /api/v1/players/ HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked"
    # Small enough to be sent before the server hangs up.
    body = [chunk(b" " * 50_000) for _ in range(21)]
    status, answer = talk(web.port, head, [*body, b"0\r\n\r\n"])
    assert (status, '"code": "too_large"' in answer) == (413, True)
    account = json.dumps({"username": "anna", "password": "correct horse 7"}).encode()
    status, answer = talk(web.port, f"{head}\r\nConnection: close", [chunk(account), b"0\r\n\r\n"])
    assert (status, '"username":"anna"' in answer) == (201, True)


def test_the_image_and_the_texts_start_the_web_by_the_same_command() -> None:
    entrypoint = (ROOT / "docker" / "entrypoint").read_text()
    operating = (ROOT / "docs" / "operating.md").read_text()
    for text in (entrypoint, operating):
        assert re.search(r"\bmanage\.py serve_web --host", text)
        assert not re.search(r"\bgranian --", text)
