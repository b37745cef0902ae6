"""A thread-local Redis connection for single commands, cheaper than the client with its pool, events and retries."""

import os
from collections.abc import Sequence
from threading import local
from typing import Any

import redis
from redis.connection import ConnectionPool

Connection = Any
"""A connection of ``redis.connection``, whose methods have no types."""


class RedisConnection:
    """One connection a thread to one server, opened when it is first needed and again when it was lost."""

    def __init__(self, url: str, *, timeout: float) -> None:
        """Wait at most ``timeout`` seconds for each reply."""
        self._pool = ConnectionPool.from_url(url, socket_connect_timeout=timeout, socket_timeout=timeout)
        self._own = local()

    @property
    def database(self) -> int:
        """Return the number of the database in the URL."""
        return int(self._pool.connection_kwargs.get("db") or 0)

    def call(self, *command: Any) -> Any:
        """Send a command and return its reply. Raises ``RedisError``.

        A connection that was lost while it was idle is opened again once, so a command may be sent twice if the server
        died after it had run it.
        """
        return self._call_all([command])[0]

    def send_all(self, commands: Sequence[tuple[Any, ...]]) -> None:
        """Send commands together and wait for their replies, as ``call`` does. Raises ``RedisError``."""
        self._call_all(commands)

    def _call_all(self, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
        connection = self._connection()
        try:
            return _call_all(connection, commands)
        except redis.ConnectionError:
            return _call_all(connection, commands)

    def _connection(self) -> Connection:
        connection: Connection = getattr(self._own, "connection", None)
        # A forked process must not use its parent's connection.
        if connection is None or connection.pid != os.getpid():
            # Not from the pool itself: it counts its connections for ever, and these end with their threads.
            connection = self._own.connection = self._pool.connection_class(**self._pool.connection_kwargs)
        return connection


def _call_all(connection: Connection, commands: Sequence[tuple[Any, ...]]) -> list[Any]:
    connection.send_packed_command(connection.pack_commands(commands))
    replies, refusals = [], []
    for _ in commands:
        try:
            replies.append(connection.read_response())
        except redis.ResponseError as error:
            # The replies after it have to be read, too.
            refusals.append(error)
    if refusals:
        raise refusals[0]
    return replies
