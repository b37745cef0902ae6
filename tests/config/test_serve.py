"""``manage.py serve`` as a real process: the whole site from a start to a Ctrl-C, and again."""

import asyncio
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from config.management.commands.serve import Interrupts, listen_on
from streams.server import StreamServer
from tests.marks import nightly
from tests.served import ROOT, TIMEOUT, Served, start

START_TWICE = """
import sys

import manage

port, data = sys.argv[1:]
for options in (["--port", port], ["--port", "0", "--fresh"]):
    sys.argv = ["manage.py", "serve", "--data", data, *options]
    try:
        manage.main()
    except SystemExit as end:
        print("Ended with", end.code)
"""
"""Starts a server on a port and one in a data directory, in one process: loading the site takes most of the time."""


@pytest.fixture
def serve(tmp_path) -> Iterator[Callable[..., Served]]:
    started: list[Served] = []

    def begin(*options: str) -> Served:
        started.append(Served(tmp_path / "data", *options))
        return started[-1].wait()

    yield begin
    for served in started:
        served.kill()


def test_a_fresh_start_removes_what_was_there_serves_ends_cleanly_and_loses_nothing(served, serve, tmp_path):
    berta, anna = ({"username": name, "password": "correct horse 7"} for name in ("berta", "anna"))
    assert served.ask("/api/v1/players/", berta)[0] == 201
    assert served.stop()[0] == 0
    key = (tmp_path / "data" / "secret-key").read_text()

    fresh = serve("--fresh")
    assert fresh.ask("/api/v1/players/berta/")[0] == 404
    assert fresh.ask("/")[0] == 200
    assert fresh.ask("/static/css/kickabout.css")[0] == 200
    assert fresh.ask("/nothing/")[0] == 404
    assert fresh.ask("/api/v1/players/", anna)[0] == 201
    assert (tmp_path / "data" / "secret-key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "data" / "secret-key").read_text() != key
    code, output = fresh.stop()
    assert code == 0
    assert "Traceback" not in output
    assert "Kickabout has stopped." in output

    again = serve()
    assert again.ask("/api/v1/players/anna/")[0] == 200
    code, output = again.stop(signal.SIGTERM)
    assert (code, "Traceback" in output) == (0, False), output


@pytest.mark.parametrize("sign", [signal.SIGKILL, *nightly([signal.SIGINT])])
def test_computers_think_in_a_process_that_ends_with_the_server(served, sign):
    key = json.loads(served.ask("/api/v1/guests/", {})[1])["token"]["secret"]
    wanted = {"opponent": "computer", "game": "streetsoccer-board", "colour": "red", "level": "strong"}
    match = json.loads(served.ask("/api/v1/matches/", wanted, key)[1])
    deadline = time.monotonic() + TIMEOUT
    while match["turn"] == "yellow" and time.monotonic() < deadline:
        time.sleep(0.05)
        match = json.loads(served.ask(f"/api/v1/matches/{match['id']}/", None, key)[1])
    assert (match["turn"], match["players"]["yellow"]["username"]) == ("red", "computer-strong")
    # The process has inherited standard error, here the same as the output, which ends only when both of them have.
    code, output = served.stop(sign)
    assert (code, "Traceback" in output) == (0 if sign == signal.SIGINT else -signal.SIGKILL, False)


def test_a_server_that_cannot_start_says_in_a_sentence_what_is_in_the_way(shared_site):
    command = [sys.executable, "-c", START_TWICE, str(shared_site.port), str(shared_site.data)]
    environment = {"PATH": os.environ["PATH"]}
    done = subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.stdout.count("Ended with 1\n") == 2
    assert f"Port {shared_site.port} is in use" in done.stderr
    assert f"Another server (process {shared_site.process.pid}) uses" in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert shared_site.ask("/")[0] == 200


def test_fresh_removes_only_what_it_knows(tmp_path):
    from config.data_directory import empty

    for name in ("kickabout.sqlite3", "secret-key", "holiday.jpg"):
        (tmp_path / name).touch()
    assert empty(tmp_path) == ["kickabout.sqlite3", "secret-key"]
    assert [path.name for path in tmp_path.iterdir()] == ["holiday.jpg"]


def test_the_server_does_not_start_in_a_place_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    process = start(0, tmp_path / "file" / "data")
    output, _nothing = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 1
    assert "cannot be made" in output
    assert "Traceback" not in output


def test_a_server_that_stops_while_it_starts_ends_quietly(tmp_path):
    process = start(0, tmp_path / "data")
    deadline = time.monotonic() + TIMEOUT
    while not (tmp_path / "data" / "server.lock").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output, _nothing = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0
    assert "Traceback" not in output


class Finalized:
    """Raises an exception as it is destroyed."""

    def __init__(self, error: type[BaseException]) -> None:
        self._error = error

    def __del__(self) -> None:
        raise self._error


def test_a_ctrl_c_in_a_finalizer_is_not_lost_and_other_exceptions_are_reported(monkeypatch):
    reported = []
    monkeypatch.setattr("sys.unraisablehook", lambda unraisable: reported.append(unraisable.exc_type))
    with Interrupts() as interrupts:
        Finalized(ValueError)
        interrupts.raise_lost()
        Finalized(KeyboardInterrupt)
        with pytest.raises(KeyboardInterrupt):
            interrupts.raise_lost()
    Finalized(KeyboardInterrupt)
    assert reported == [ValueError, KeyboardInterrupt]


@pytest.mark.parametrize("is_given_its_socket", [True, False], ids=["serve", "serve_streams"])
def test_no_answer_waits_for_the_clients_acknowledgement_of_the_one_before(is_given_its_socket, monkeypatch):
    # uvicorn silences this logger for the whole process, for other tests too.
    monkeypatch.setattr(logging.getLogger("uvicorn.access"), "propagate", False)

    async def accept_one() -> int:
        server = StreamServer(port=0)
        server.config.load()
        server.lifespan = server.config.lifespan_class(server.config)
        listeners = [listen_on(0)] if is_given_its_socket else None
        await server.startup(listeners)
        url = server.servers[0].sockets[0].getsockname()
        reader, writer = await asyncio.open_connection(*url)
        writer.write(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await reader.readline()
        (accepted,) = server.server_state.connections
        without_delay = accepted.transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        writer.close()
        # As uvicorn does it: ours would close the streams of this whole process.
        await super(StreamServer, server).shutdown(listeners)
        return without_delay

    assert asyncio.run(accept_one())
