"""Measure what each periodic task costs on a large site when it finds nothing to do.

``.venv/bin/python benchmarks/sweeps.py`` fills PostgreSQL with the site of ``benchmarks/pages.py``, 100,000 players,
and ends its ladders, whose players lack games: what pairing costs is measured by ``benchmarks/pairing.py``. It runs all
tasks of the schedule until they find no more work, and prints the queries of each and the processor time of the worker,
the least of several runs. ``--players`` makes the site smaller.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import process_time

from django.conf import settings
from django.db import connection
from django.utils import timezone

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.migrated_database import migrated_database

BEFORE, RUNS = 3, 7
"""The number of times that all tasks are run before they are measured, and that each is measured."""

NO_QUERIES = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


def main() -> None:
    """Start a database, fill it, run its sweeps, and print what they cost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=100_000, help="players of the site (default: 100,000)")
    options = parser.parse_args()
    with migrated_database():
        from benchmarks.grown_site import fill, vacuum

        fill(options.players)
        end_ladders()
        vacuum()
        print(f"{'':44}{'queries':>8}{'processor time':>17}")
        for name, (queries, milliseconds) in sorted(measure().items(), key=lambda row: -row[1][1]):
            print(f"{name:<44}{queries:>8}{milliseconds:>14.1f} ms")


def end_ladders() -> None:
    """Let all ladders be over."""
    from tournaments.models import CompetitionStatus, Ladder

    Ladder.objects.update(status=CompetitionStatus.FINISHED, finished_at=timezone.now())


def measure() -> dict[str, tuple[int, float]]:
    """Return how many queries each task asks and how many milliseconds of processor time it takes, by its name."""
    from django.test.utils import CaptureQueriesContext

    from config.celery import app

    app.loader.import_default_modules()
    tasks = sorted({entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()})
    for task in BEFORE * tasks:
        app.tasks[task].apply(throw=True)
    found = {}
    for task in tasks:
        with CaptureQueriesContext(connection) as captured:
            app.tasks[task].apply(throw=True)
        queries = sum(not query["sql"].startswith(NO_QUERIES) for query in captured)
        found[task] = (queries, min(milliseconds_of(app.tasks[task]) for _ in range(RUNS)))
    return found


def milliseconds_of(task: object) -> float:
    """Return how much processor time one run of a task takes."""
    begun = process_time()
    task.apply(throw=True)  # type: ignore[attr-defined]
    return (process_time() - begun) * 1000


if __name__ == "__main__":
    main()
