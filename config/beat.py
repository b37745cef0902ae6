"""The schedule of beat, by elapsed time: the clock of its host may be set, and nothing stops."""

from math import inf
from time import monotonic
from typing import Any

import structlog
from celery.beat import ScheduleEntry, Scheduler
from celery.signals import beat_init

from operations.signs_of_life import BEAT, give_sign
from operations.worker_server import serve_operations

MAX_SILENCE = 60.0
"""Seconds without a task that was sent after which beat is no longer live: sweeps are due every few seconds."""

LOG_INTERVAL = 60.0
"""Seconds between two lines of the log about tasks that the broker does not take."""

logger = structlog.get_logger(__name__)


class ElapsedScheduler(Scheduler):
    """Sends every task of the schedule at once, and again after its number of seconds; it stores nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._due: dict[str, float] = {}
        self._sent_at = monotonic()
        self._logged_at = -inf
        self._lost = 0
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due, and return after how many seconds something is again."""
        for name, entry in self.schedule.items():
            now = monotonic()
            if self._due.get(name, now) <= now:
                self._due[name] = now + entry.schedule.seconds
                self._send(entry)
        wait: float = min(self._due.values(), default=monotonic() + self.max_interval) - monotonic()
        return min(max(0.0, wait), self.max_interval)

    def _send(self, entry: ScheduleEntry) -> None:
        """Send a task. Of those that the broker does not take the log has one line in a while, and their number."""
        try:
            self.apply_async(entry, producer=self.producer, advance=False)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong, the next task is sent
            self._lost += 1
            if monotonic() - self._logged_at >= LOG_INTERVAL:
                logger.warning("tasks_not_sent", number=self._lost, error=str(error))
                self._logged_at, self._lost = monotonic(), 0

    def apply_async(self, entry: ScheduleEntry, *args: Any, **kwargs: Any) -> Any:
        """Send a task. Raises ``SchedulingError`` if the broker does not take it."""
        result = super().apply_async(entry, *args, **kwargs)
        self._sent_at = monotonic()
        give_sign(BEAT)
        return result

    def is_live(self) -> bool:
        """Return whether a task was sent lately."""
        return monotonic() - self._sent_at < MAX_SILENCE


@beat_init.connect
def serve_health(*, sender: Any, **more: Any) -> None:
    """Answer for beat, whose service is the sender, on ``METRICS_PORT``."""
    serve_operations(sender.scheduler.is_live)
