"""Short words to Redis, on connections that are kept: the client's pool, events and retries cost more than the word."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import local
from typing import Any

import redis
from redis.connection import ConnectionPool

Connection = Any
"""One of redis.connection, whose methods have no types."""


class RedisConnection:
    """A connection of each thread's own to one server. It is made when it is needed, and anew when it was lost."""

    def __init__(self, url: str, *, patience: float, greet: Callable[[Connection], None] | None = None) -> None:
        """Wait for every answer at most ``patience`` seconds. ``greet`` is called with each new connection."""
        self._pool = ConnectionPool.from_url(
            url, socket_connect_timeout=patience, socket_timeout=patience, redis_connect_func=greet
        )
        self._own = local()

    @property
    def database(self) -> int:
        """The number of the database that the address names."""
        return int(self._pool.connection_kwargs.get("db") or 0)

    def ask(self, *command: Any) -> Any:
        """Send a command and return the answer.

        Raises RedisError. A connection that was lost while nobody used it is made anew once, so a command that was
        carried out by a server that died then is sent twice.
        """
        connection = self._connection()
        try:
            return _ask(connection, command)
        except redis.ConnectionError:
            return _ask(connection, command)

    def tell(self, *command: Any) -> None:
        """Send a command on a connection that was greeted with ``CLIENT REPLY OFF``; raises RedisError."""
        connection = self._connection()
        try:
            if connection.is_connected:
                # Nothing is ever said there but that it has been closed.
                connection.can_read()
        except redis.ConnectionError:
            connection.disconnect()
        connection.send_command(*command)

    def _connection(self) -> Connection:
        connection: Connection = getattr(self._own, "connection", None)
        # A process that was forked must not speak on its parent's.
        if connection is None or connection.pid != os.getpid():
            # Not by the pool itself: it counts its connections for ever, and these end with their threads.
            connection = self._own.connection = self._pool.connection_class(**self._pool.connection_kwargs)
        return connection


def _ask(connection: Connection, command: tuple[Any, ...]) -> Any:
    connection.send_command(*command)
    return connection.read_response()
