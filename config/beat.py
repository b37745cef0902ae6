"""The schedule of beat, by elapsed time: the clock of its host may be set, and nothing stops."""

from time import monotonic
from typing import Any

from celery.beat import ScheduleEntry, Scheduler
from celery.signals import beat_init

from operations.worker_server import serve_operations

MAX_SILENCE = 60.0
"""Seconds without a task that was sent after which beat is no longer live: sweeps are due every few seconds."""


class ElapsedScheduler(Scheduler):
    """Sends every task of the schedule at once, and again after its number of seconds; it stores nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._due: dict[str, float] = {}
        self._sent_at = monotonic()
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due, and return after how many seconds something is again."""
        for name, entry in self.schedule.items():
            now = monotonic()
            if self._due.get(name, now) <= now:
                self._due[name] = now + entry.schedule.seconds
                self.apply_entry(entry, producer=self.producer)
        wait: float = min(self._due.values(), default=monotonic() + self.max_interval) - monotonic()
        return min(max(0.0, wait), self.max_interval)

    def apply_async(self, entry: ScheduleEntry, *args: Any, **kwargs: Any) -> Any:
        """Send a task. Raises ``SchedulingError`` if the broker does not take it."""
        result = super().apply_async(entry, *args, **kwargs)
        self._sent_at = monotonic()
        return result

    def is_live(self) -> bool:
        """Return whether a task was sent lately."""
        return monotonic() - self._sent_at < MAX_SILENCE


@beat_init.connect
def serve_health(*, sender: Any, **more: Any) -> None:
    """Answer for beat, whose service is the sender, on ``METRICS_PORT``."""
    serve_operations(sender.scheduler.is_live)
