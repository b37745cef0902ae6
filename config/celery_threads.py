"""The workers of the single-process server, as threads, and its schedule."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from celery import Celery
from celery.worker import WorkController, state
from structlog import get_logger

from config.celery import make_app
from config.memory_transport import wake_consumers
from config.queues import COMPUTERS, QUEUES
from config.sweeps import sweep_in_background

STOP_TIMEOUT = 10.0

RESTART_DELAY = 1.0
"""Seconds after which a worker that has failed is replaced."""

logger = get_logger(__name__)


@contextmanager
def work_in_background(app: Celery, *, threads: int = 4, computers: int = 1) -> Iterator[None]:
    """Run the app's tasks and its schedule in threads of this process while the context lasts.

    Computers move in as many threads of their own, so that other tasks never wait for them. A queue in memory is lost
    with its process, so every scheduled task also runs once at the start: the sweeps find what was left undone.
    """
    app_of_computers = make_app()
    for each in (app, app_of_computers):
        _load_tasks(each)
    stopping = threading.Event()
    working = [
        _start_worker(app, [name for name in QUEUES if name != COMPUTERS], threads, stopping),
        _start_worker(app_of_computers, [COMPUTERS], computers, stopping),
    ]
    try:
        with sweep_in_background(app, app.conf.beat_schedule):
            yield
    finally:
        stopping.set()
        state.should_stop = 0
        wake_consumers()
        for thread in working:
            thread.join(STOP_TIMEOUT)
        state.should_stop = None


def _load_tasks(app: Celery) -> None:
    """Import and register the app's tasks.

    Not in the threads of the workers: Celery imports tasks in one thread at a time and lets others go on without, and a
    worker never learns of tasks that are registered later.
    """
    app.loader.init_worker()
    app.finalize()


def _start_worker(app: Celery, queues: list[str], threads: int, stopping: threading.Event) -> threading.Thread:
    thread = threading.Thread(target=_keep_working, args=(app, queues, threads, stopping), name="worker", daemon=True)
    thread.start()
    return thread


def _keep_working(app: Celery, queues: list[str], threads: int, stopping: threading.Event) -> None:
    """Work until stopped. Nobody supervises a thread, so a worker that ends by itself is replaced here."""
    while not stopping.is_set():
        try:
            _make_worker(app, queues, threads).start()
        except Exception:
            logger.exception("worker_failed", queues=queues)
        if not stopping.wait(RESTART_DELAY):
            logger.error("worker_replaced", queues=queues)


def _make_worker(app: Celery, queues: list[str], threads: int) -> WorkController:
    return WorkController(
        app=app,
        hostname=f"{queues[0]}@single-process",
        queues=queues,
        pool="threads",
        concurrency=threads,
        # There is one event loop for a whole process, and two workers must not share it.
        use_eventloop=False,
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
    )
