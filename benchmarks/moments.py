"""Measure what reading timestamps by Python saves of lists and pages with many of them.

``.venv/bin/python benchmarks/moments.py`` fills a site of 300 players on PostgreSQL. Each list or page is asked for in
turns: with ``MomentLoader`` of ``database/postgresql/base.py``, and with psycopg's reader on a connection of its own.
The medians of the processor time of this process are printed, and that of the turns' differences.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.asked_pages import PATHS
from benchmarks.migrated_database import migrated_database

PLAYERS = 300
TURNS = 12
TIMES = 3
"""The number of times that a turn asks."""

NAMES = (
    "API matches",
    "API log",
    "API places",
    "ladder, log",
    "profile",
    "match",
    "desk: matches that have ended",
    "API fixtures",
    "admin: matches",
    "admin: log",
    "admin: changes of ratings",
)


def main() -> None:
    """Fill the site, and print a line for each list or page."""
    os.environ |= {"ALLOWED_HOSTS": "localhost", "THROTTLE_PAGE_READ": "1000000/min", "THROTTLE_READ": "1000000/min"}
    with migrated_database():
        from benchmarks.grown_site import fill

        fill(PLAYERS)
        print(f"{'':34}{'with, ms':>10}{'without, ms':>13}{'saves, ms':>11}{'of it':>7}")
        for name, work in find_works().items():
            report(name, work)


def find_works() -> dict[str, Callable[[], Any]]:
    """Return what is measured, by its name."""
    from django.test import Client

    from benchmarks.grown_site import viewer
    from matches.models import Match

    reader = viewer()
    reader.is_staff = reader.is_superuser = True
    reader.save()
    client = Client(SERVER_NAME="localhost")
    client.force_login(reader)
    match = Match.objects.filter(yellow=reader).latest("pk").pk

    def asking(path: str) -> Callable[[], Any]:
        return lambda: b"".join(client.get(path))

    pages = {name: asking(PATHS[name][1].format(match=match)) for name in NAMES}
    return {"500 matches by the ORM alone": lambda: list(Match.objects.order_by("pk")[:500]), **pages}


def report(name: str, work: Callable[[], Any]) -> None:
    """Print what the reader saves of some work."""
    from django.db import connection

    from database.postgresql.base import MomentLoader

    pairs = []
    for number in range(TURNS):
        taken: dict[bool, float] = {}
        for without in (number % 2 == 0, number % 2 != 0):
            # Each connection keeps how it reads.
            connection.close()
            if without:
                with patch.object(MomentLoader, "timezone", None):
                    taken[without] = milliseconds(work)
            else:
                taken[without] = milliseconds(work)
        pairs.append((taken[False], taken[True]))
    kept, left = (median(column) for column in zip(*pairs, strict=True))
    saved = median(without - kept for kept, without in pairs)
    print(f"{name:<34}{kept:>10.2f}{left:>13.2f}{saved:>11.2f}{saved / left:>7.0%}", flush=True)


def milliseconds(work: Callable[[], Any]) -> float:
    """Return the processor time of some work, once it is connected."""
    work()
    begun = process_time()
    for _ in range(TIMES):
        work()
    return (process_time() - begun) / TIMES * 1000


if __name__ == "__main__":
    main()
