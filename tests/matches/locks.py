"""Transactions that wait for each other in an order that a test chooses."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from threading import Thread

from django.db import connection, transaction

from web.errors import DomainError

TIMEOUT = 60
"""After so many seconds it is not waited any longer for somebody to wait."""


def do_while_others_come(first: Callable[[], object], *others: Callable[[], object]) -> list[str]:
    """Do something, and commit it only when the others are over or wait for a lock, begun one after the other.

    Return what became of the others: ``ok``, a refusal's code, or the name of what was raised.
    """
    results: dict[int, str] = {}

    def run(number: int, action: Callable[[], object]) -> None:
        try:
            action()
            results[number] = "ok"
        except DomainError as error:
            results[number] = error.code
        except Exception as error:  # noqa: BLE001 - the test compares it
            results[number] = type(error).__name__
        finally:
            connection.close()

    threads = [Thread(target=run, args=pair) for pair in enumerate(others)]
    with transaction.atomic():
        first()
        for begun, thread in enumerate(threads, start=1):
            thread.start()
            _wait_until(partial(lambda number: len(results) + _waiting() >= number, begun))
    for thread in threads:
        thread.join()
    return [results[number] for number in range(len(others))]


def _wait_until(is_so: Callable[[], bool]) -> None:
    last = time.monotonic() + TIMEOUT
    while not is_so():
        assert time.monotonic() < last, "Nobody waits for a lock, and somebody is not over."
        time.sleep(0.01)


def _waiting() -> int:
    """Return how many connections to this database wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(DISTINCT pid) FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE NOT granted AND datname = current_database()"
        )
        (count,) = cursor.fetchone()
    return int(count)
