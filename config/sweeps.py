"""The schedule of the single-process server: its sweeps run in threads, without beat and without messages."""

from __future__ import annotations

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
"""How many batches can run at the same time, if one takes longer than the time until the next."""

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

    Those that are due together run one after the other on one connection to the database, the most frequent first. A
    task that is still running is not started once more.
    """

    def __init__(self, app: Celery, seconds: Mapping[str, float]) -> None:
        """Take tasks by name, each with the number of seconds after which it runs again."""
        self._app = app
        self._seconds = dict(sorted(seconds.items(), key=lambda item: item[1]))
        self._running: set[str] = set()
        self._changing = threading.Lock()
        self._stopping = threading.Event()

    def keep_time(self) -> None:
        """Start what is due, and sleep until something is, until stopped; then wait for what is running."""
        begun = monotonic()
        due = dict.fromkeys(self._seconds, begun)
        with ThreadPoolExecutor(THREADS, thread_name_prefix="sweep") as threads:
            while not self._stopping.wait(max(0.0, min(due.values()) - monotonic())):
                now = monotonic()
                batch = [name for name in self._seconds if due[name] <= now and self._begins(name)]
                for name, seconds in self._seconds.items():
                    if due[name] <= now:
                        # Whole steps from the start: so those of 5 seconds and of 10 stay due together.
                        due[name] = begun + ((now - begun) // seconds + 1) * seconds
                if batch:
                    threads.submit(self._run, batch)

    def stop(self) -> None:
        """Start nothing more."""
        self._stopping.set()

    def _begins(self, name: str) -> bool:
        """Note that the task is running. Return whether it was not already."""
        with self._changing:
            if name in self._running:
                return False
            self._running.add(name)
            return True

    def _run(self, batch: list[str]) -> None:
        try:
            for name in batch:
                if not self._stopping.is_set():
                    self._run_task(name)
                with self._changing:
                    self._running.discard(name)
        finally:
            connections.close_all()

    def _run_task(self, name: str) -> None:
        try:
            # Celery logs and counts what goes wrong in a task.
            self._app.tasks[name].apply()
        except Exception:
            logger.exception("sweep_failed", task=name)
