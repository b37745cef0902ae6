"""Fixtures of the tests of event streams: players, matches between two of them, and clients of real servers."""

import pytest

from tests.matches.conftest import anna, begin, carla, piotr
from tests.streams.events import Client

__all__ = ["anna", "begin", "carla", "follow", "piotr"]


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
