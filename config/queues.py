"""Which queue a task waits in. A worker takes from all of them unless it is told which: ``--queues``."""

from __future__ import annotations

import os

USUAL = "celery"
COMPUTERS = "computers"
"""Thinking takes long, and must not hold up the rest."""

QUEUES: dict[str, dict[str, str]] = {USUAL: {}, COMPUTERS: {}}
ROUTES = {
    "matches.tasks.move_computer": {"queue": COMPUTERS},
    "matches.tasks.analyse_match": {"queue": COMPUTERS},
}

MAX_COMPUTER_PROCESSES = 3


def count_computer_processes() -> int:
    """Return how many processes of the single-process server think by default: one processor is left to the pages."""
    return max(1, min((os.cpu_count() or 1) - 1, MAX_COMPUTER_PROCESSES))
