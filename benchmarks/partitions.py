"""Partition a large table of moves, and measure how long that takes and how long others wait.

``.venv/bin/python benchmarks/partitions.py --moves 20000000`` makes matches of 100 moves each on real PostgreSQL, turns
the table into a partitioned one while another connection reads moves, makes partitions ahead, and moves the first one
to another tablespace. It prints what each took, and PostgreSQL's processor time for finding the moves of a match before
and afterwards.
"""

from __future__ import annotations

import argparse
import os
import pwd
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import django
from django.core.management import call_command
from django.db import connection, connections

from benchmarks.moves_table import EACH, backend, fill, processor_seconds, read
from tests.plugins.real_servers import UNPRIVILEGED, fresh_directory, run_postgresql


def main() -> None:
    """Start a database, fill it, and do each step."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=20_000_000, help="moves in the table (default: 20,000,000)")
    options = parser.parse_args()
    with ExitStack() as stack:
        slow = fresh_directory("slow")
        stack.callback(shutil.rmtree, slow, ignore_errors=True)
        url, server = run_postgresql()
        stack.callback(server.stop)
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ |= {"DATABASE_URL": url, "DATA_DIR": directory, "DJANGO_SETTINGS_MODULE": "config.settings"}
        django.setup()
        stack.callback(connections.close_all)
        call_command("migrate", verbosity=0)
        begun = perf_counter()
        fill(options.moves // EACH)
        print(f"{options.moves:,} moves in {options.moves // EACH:,} matches, made in {perf_counter() - begun:.0f} s")
        print_finding("before")
        size = options.moves // EACH
        measure("partitioning, and two partitions ahead", lambda: call_command("partition_moves", size=size))
        print_finding("partitioned")
        if os.geteuid() == 0:
            account = pwd.getpwnam(UNPRIVILEGED)
            os.chown(slow, account.pw_uid, account.pw_gid)
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE TABLESPACE slow LOCATION '{slow}'")
        measure(
            "moving the first partition",
            lambda: call_command("partition_moves", size=size, before=3 * size, tablespace="slow"),
        )


def measure(what: str, do: Callable[[], object]) -> None:
    """Do something while another connection reads moves; print how long it took, and how long a reader waited."""
    waits: list[float] = []
    over = Event()
    reading = Thread(target=read, args=(over, waits))
    reading.start()
    begun = perf_counter()
    do()
    seconds = perf_counter() - begun
    over.set()
    reading.join()
    print(f"{what}: {seconds:.1f} s; {len(waits)} readers waited {1e3 * max(waits):.0f} ms at most", flush=True)


def print_finding(what: str) -> None:
    """Print PostgreSQL's processor time for finding the moves of a match."""
    times, server = 2000, backend()
    begun = processor_seconds(server)
    with connection.cursor() as cursor:
        for match in range(1, times + 1):
            cursor.execute("SELECT ply, actor, text FROM matches_move WHERE match_id = %s ORDER BY ply", [match])
            cursor.fetchall()
    milliseconds = 1e3 * (processor_seconds(server) - begun) / times
    print(f"the moves of a match, {what}: {milliseconds:.3f} ms of PostgreSQL", flush=True)


if __name__ == "__main__":
    main()
