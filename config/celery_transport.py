"""Celery's Redis transport, without an error of kombu that ends workers."""

from __future__ import annotations

from typing import Any

import redis
from kombu.transport import redis as kombu_redis


class Channel(kombu_redis.Channel):
    """A channel that reports a lost connection.

    kombu's own raises AttributeError then (seen in 5.7), which a worker takes for a fault and ends: it gives back what
    was not acknowledged, and acknowledges what is done late, over channels of a connection that is gone.
    """

    def _connparams(self, asynchronous: bool = False) -> dict[str, Any]:
        if self.connection.client is None:
            raise redis.ConnectionError("The connection of this channel is lost.")
        parameters: dict[str, Any] = super()._connparams(asynchronous)  # type: ignore[no-untyped-call]
        return parameters


class Transport(kombu_redis.Transport):
    """The transport with such channels."""

    Channel = Channel
