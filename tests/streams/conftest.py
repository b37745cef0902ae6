"""Fixtures of the tests of event streams: players, matches between two of them, and clients of real servers."""

import asyncio
import inspect

import pytest

from streams.hub import Hub
from streams.metrics import OPEN_STREAMS
from tests.matches.conftest import anna, begin, carla, piotr
from tests.streams.events import Client

__all__ = ["anna", "begin", "carla", "follow", "piotr"]


TIMEOUT = 180


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**arguments), TIMEOUT))
    return True


@pytest.fixture
def hub():
    """Yield a hub, whose streams all end with the loop of the test."""
    before = OPEN_STREAMS._value.get()
    yield Hub()
    assert OPEN_STREAMS._value.get() == before


@pytest.fixture
def follow():
    """Open streams, which are closed after the test."""
    clients: list[Client] = []

    def open_stream(port: int, path: str, **more: str) -> Client:
        clients.append(Client(port, path, **more))
        return clients[-1]

    yield open_stream
    for client in clients:
        client.close()
