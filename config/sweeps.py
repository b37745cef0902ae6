"""The schedule of the single-process server: its sweeps run in threads, without beat and without messages."""

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import Any

from celery import Celery
from django.db import connections
from structlog import get_logger

THREADS = 4
"""The most tasks that run at the same time, if they take longer than the time until others are due."""

logger = get_logger(__name__)


@contextmanager
def sweep_in_background(app: Celery, schedule: Mapping[str, Mapping[str, Any]]) -> Iterator[None]:
    """Run the tasks of a beat schedule in threads of this process while the context lasts: at once, then when due."""
    sweeps = Sweeps(app, {entry["task"]: entry["schedule"] for entry in schedule.values()})
    timer = threading.Thread(target=sweeps.keep_time, name="sweeps", daemon=True)
    timer.start()
    try:
        yield
    finally:
        sweeps.stop()
        timer.join()


class Sweeps:
    """Runs tasks again and again, each after its own number of seconds.

    Those that are due together run one after the other on one connection to the database, the most frequent first. If
    one of them takes long, those behind it run with the next that are due. A task that is still running is not started
    once more.
    """

    def __init__(self, app: Celery, seconds: Mapping[str, float]) -> None:
        """Take tasks by name, each with the number of seconds after which it runs again."""
        self._app = app
        self._seconds = dict(sorted(seconds.items(), key=lambda item: item[1]))
        self._waiting: dict[str, None] = {}
        self._running: set[str] = set()
        self._threads = 0
        self._changing = threading.Lock()
        self._stopping = threading.Event()

    def keep_time(self) -> None:
        """Start what is due, and sleep until something is, until stopped; then wait for what is running."""
        begun = monotonic()
        due = dict.fromkeys(self._seconds, begun)
        with ThreadPoolExecutor(THREADS, thread_name_prefix="sweep") as threads:
            while not self._stopping.wait(max(0.0, min(due.values()) - monotonic())):
                now = monotonic()
                batch = [name for name in self._seconds if due[name] <= now]
                for name in batch:
                    # Whole steps from the start: so those of 5 seconds and of 10 stay due together.
                    seconds = self._seconds[name]
                    due[name] = begun + ((now - begun) // seconds + 1) * seconds
                if self._add(batch):
                    threads.submit(self._run)

    def stop(self) -> None:
        """Start nothing more."""
        self._stopping.set()

    def _add(self, batch: list[str]) -> bool:
        """Let tasks wait for a thread, except those that are running. Return whether to start one more thread."""
        with self._changing:
            self._waiting.update(dict.fromkeys(name for name in batch if name not in self._running))
            if not self._waiting or self._threads == THREADS:
                return False
            self._threads += 1
            return True

    def _run(self) -> None:
        """Run what waits, until nothing does."""
        try:
            while (name := self._take()) is not None:
                self._run_task(name)
                with self._changing:
                    self._running.discard(name)
        finally:
            connections.close_all()

    def _take(self) -> str | None:
        """Return the task that has waited longest, which is running from now on, or ``None``: the thread ends."""
        with self._changing:
            if not self._waiting or self._stopping.is_set():
                self._threads -= 1
                return None
            name = next(iter(self._waiting))
            del self._waiting[name]
            self._running.add(name)
            return name

    def _run_task(self, name: str) -> None:
        try:
            # Celery logs and counts what goes wrong in a task.
            self._app.tasks[name].apply()
        except Exception:
            logger.exception("sweep_failed", task=name)
