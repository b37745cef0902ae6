"""The worker and the beat of the single-process server, as threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from celery import Celery
from celery.beat import EmbeddedService, Scheduler
from celery.worker import WorkController, state

PATIENCE = 10.0


@contextmanager
def work_in_background(app: Celery, *, threads: int = 4) -> Iterator[None]:
    """Run the app's tasks and its schedule in threads of this process while the context lasts.

    What is queued in memory dies with the process, so everything scheduled is also queued once at the
    start: the sweeps find what was left undone.
    """
    worker = WorkController(
        app=app,
        hostname="worker@single-process",
        pool="threads",
        concurrency=threads,
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    )
    working = threading.Thread(target=worker.start, name="worker", daemon=True)
    beat = EmbeddedService(app, thread=True, scheduler_cls=Scheduler)
    beat.daemon = True
    working.start()
    beat.start()
    for entry in app.conf.beat_schedule.values():
        app.send_task(entry["task"])
    try:
        yield
    finally:
        state.should_stop = 0
        beat.stop()
        working.join(PATIENCE)
        state.should_stop = None
