"""The queues in which tasks wait. A worker takes from all of them unless ``--queues`` names some."""

from __future__ import annotations

import os

USUAL = "celery"
COMPUTERS = "computers"
"""The queue of engine jobs, which take long and must not hold up other tasks."""

QUEUES: dict[str, dict[str, str]] = {USUAL: {}, COMPUTERS: {}}
ROUTES = {
    "matches.tasks.move_computer": {"queue": COMPUTERS},
    "matches.tasks.analyse_match": {"queue": COMPUTERS},
}

MAX_COMPUTER_PROCESSES = 3


def count_computer_processes() -> int:
    """Return how many processes run engine jobs by default: one processor is left to the pages."""
    return max(1, min((os.cpu_count() or 1) - 1, MAX_COMPUTER_PROCESSES))
