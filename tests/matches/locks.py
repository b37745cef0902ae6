"""Transactions that wait for each other in an order that a test chooses."""

import time
from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import TypeVar

from django.db import connection, transaction

from web.errors import DomainError

Name = TypeVar("Name")

TIMEOUT = 60
"""After so many seconds it is not waited any longer for somebody to wait."""


def begin(name: Name, action: Callable[[], object], results: dict[Name, str]) -> Thread:
    """Do something in a thread of its own, and return that.

    When it is over, ``results`` has what became of it: ``ok``, a refusal's code, or the name of what was raised.
    """

    def run() -> None:
        try:
            action()
            results[name] = "ok"
        except DomainError as error:
            results[name] = error.code
        except Exception as error:  # noqa: BLE001 - the test compares it
            results[name] = type(error).__name__
        finally:
            connection.close()

    thread = Thread(target=run)
    thread.start()
    return thread


def do_while_others_come(first: Callable[[], object], *others: Callable[[], object]) -> list[str]:
    """Do something, and commit it only when the others are over or wait for a lock, begun one after the other.

    Return what became of the others, as ``begin`` says it.
    """
    results: dict[int, str] = {}
    threads = []
    with transaction.atomic():
        first()
        for number, action in enumerate(others):
            threads.append(begin(number, action, results))
            wait_until(partial(lambda begun: len(results) + count_waiting() >= begun, number + 1))
    for thread in threads:
        thread.join()
    return [results[number] for number in range(len(others))]


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so that others bring about."""
    last = time.monotonic() + TIMEOUT
    while not is_so():
        assert time.monotonic() < last, "Nobody waits for a lock, and somebody is not over."
        time.sleep(0.01)


def count_waiting() -> int:
    """Return how many connections to this database wait for a lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(DISTINCT pid) FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE NOT granted AND datname = current_database()"
        )
        (count,) = cursor.fetchone()
    return int(count)
