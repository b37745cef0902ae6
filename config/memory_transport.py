"""Celery's transport in memory, which wakes who waits for messages instead of letting them ask again and again."""

import threading
from queue import Empty
from time import monotonic
from typing import Any

from celery.worker import state
from kombu.transport import memory


class _Changes:
    """Counts what can let a consumer go on, and lets it wait for more."""

    def __init__(self) -> None:
        self.count = 0
        self._changed = threading.Condition()

    def note(self) -> None:
        """Wake everybody who waits."""
        with self._changed:
            self.count += 1
            self._changed.notify_all()

    def wait(self, known: int, timeout: float | None) -> None:
        """Return once there is more than was ``known``, or after ``timeout`` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.count != known, timeout)


_changes = _Changes()


def wake_consumers() -> None:
    """Let those who wait for messages look whether their worker is to stop."""
    _changes.note()


class Channel(memory.Channel):
    """A channel that says when there are messages, or room for them."""

    def _put(self, queue: str, message: Any, **kwargs: Any) -> None:
        super()._put(queue, message, **kwargs)  # type: ignore[no-untyped-call]
        _changes.note()

    def _put_fanout(self, exchange: str, message: Any, routing_key: str | None = None, **kwargs: Any) -> None:
        super()._put_fanout(exchange, message, routing_key, **kwargs)  # type: ignore[no-untyped-call]
        _changes.note()

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Acknowledge a message, and let the next one come."""
        super().basic_ack(delivery_tag, multiple)  # type: ignore[no-untyped-call]
        _changes.note()

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Reject a message, and let the next one come."""
        super().basic_reject(delivery_tag, requeue)  # type: ignore[no-untyped-call]
        _changes.note()

    def basic_qos(self, prefetch_size: int = 0, prefetch_count: int = 0, apply_global: bool = False) -> None:
        """Change how many messages may be unacknowledged."""
        super().basic_qos(prefetch_size, prefetch_count, apply_global)  # type: ignore[no-untyped-call]
        _changes.note()


class Transport(memory.Transport):
    """The transport with such channels."""

    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Deliver the next message.

        Raises ``TimeoutError`` if none comes within ``timeout`` seconds, or if workers are to stop.
        """
        end = None if timeout is None else monotonic() + timeout
        while True:
            known = _changes.count
            if state.should_stop is not None:
                raise TimeoutError
            try:
                self.cycle.get(self._deliver, timeout=timeout)  # type: ignore[union-attr]
            except Empty:
                left = None if end is None else end - monotonic()
                if left is not None and left <= 0:
                    raise TimeoutError from None
                _changes.wait(known, left)
            else:
                return
