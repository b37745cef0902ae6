"""Loads all that the single process loads, where no driver of PostgreSQL is installed, and says what that was."""

import importlib
import json
import sys
import threading
from typing import Any

import django


def main() -> None:
    """Write which tasks each worker knows when it starts, and which modules were loaded that need not be."""
    sys.modules["psycopg"] = None
    django.setup()
    known = tasks_known_at_the_start()
    load_all()
    unneeded = sorted(name for name in ("psycopg", "redis") if sys.modules.get(name))
    sys.stdout.write(json.dumps({"known": known, "unneeded": unneeded}))


def tasks_known_at_the_start() -> dict[str, list[str]]:
    """Return the names of the tasks that are registered when the worker of each queue is made."""
    from config import celery_threads
    from config.celery import app

    known: dict[str, list[str]] = {}
    both = threading.Event()

    def note(app: Any, queues: list[str], threads: int) -> None:
        # Registered, and not only when somebody asks for them.
        known[queues[0]] = sorted(app._tasks)
        if len(known) == 2:
            both.set()
        raise OSError("no worker here")

    celery_threads._make_worker = note
    with celery_threads.work_in_background(app):
        both.wait(30)
    return known


def load_all() -> None:
    """Load what a server and its workers load until they work."""
    from django.core.checks import run_checks

    from config.celery import app

    for name in ("config.asgi", "config.management.commands.serve"):
        importlib.import_module(name)
    app.loader.init_worker()
    app.finalize()
    run_checks()


if __name__ == "__main__":
    main()
