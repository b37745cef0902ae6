"""Celery's Redis transport, without an error of kombu that ends workers."""

from typing import Any

import redis
from kombu.transport import redis as kombu_redis


class Channel(kombu_redis.Channel):
    """A channel that reports a lost connection.

    kombu's own channel raises AttributeError (seen in 5.7) when a worker returns or acknowledges messages over a
    connection that is lost. The worker takes that for a fault and ends.
    """

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection.client is None:
            raise redis.ConnectionError("The connection of this channel is lost.")
        parameters: dict[str, Any] = super()._connparams(asynchronous)  # type: ignore[no-untyped-call]
        return parameters


class Transport(kombu_redis.Transport):
    """The transport with such channels."""

    Channel = Channel
