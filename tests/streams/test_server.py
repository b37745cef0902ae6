"""The server of streams: how it waits, and how it stops."""

import asyncio
import signal
import sys
from types import ModuleType

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol

from streams import server
from streams.server import StreamServer


@pytest.fixture
def ticks(monkeypatch):
    """Return a server, and a list to which each of its ticks adds an entry."""
    stream_server, seen = StreamServer(), []
    tick = stream_server.on_tick

    async def note(counter):
        seen.append(counter)
        return await tick(counter)

    monkeypatch.setattr(stream_server, "on_tick", note)
    return stream_server, seen


def wait_and_stop(stream_server, *, after):
    async def run():
        asyncio.get_running_loop().call_later(after, stream_server.handle_exit, signal.SIGTERM, None)
        async with asyncio.timeout(60):
            await stream_server.main_loop()

    stream_server.config.load()
    asyncio.run(run())


def test_it_stays_asleep_until_it_has_to_stop_and_then_stops_at_once(monkeypatch, ticks):
    monkeypatch.setattr(server, "TICK_INTERVAL", 3600)
    stream_server, seen = ticks
    wait_and_stop(stream_server, after=0.5)
    assert len(seen) == 2


def test_it_keeps_the_date_of_its_answers(monkeypatch, ticks):
    monkeypatch.setattr(server, "TICK_INTERVAL", 0.01)
    stream_server, seen = ticks
    wait_and_stop(stream_server, after=0.5)
    assert set(seen) == {0}
    assert len(seen) > 3
    assert dict(stream_server.server_state.default_headers).keys() == {b"date"}


def test_it_bounds_headers_whichever_parsers_are_installed(monkeypatch):
    # A module of this name is what uvicorn looks for.
    monkeypatch.setitem(sys.modules, "httptools", ModuleType("httptools"))
    stream_server = StreamServer()
    stream_server.config.load()
    assert issubclass(stream_server.config.http_protocol_class, H11Protocol)
