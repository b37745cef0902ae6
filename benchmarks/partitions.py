"""Partition a large table of moves, and measure how long that takes and how long others wait.

``.venv/bin/python benchmarks/partitions.py --moves 20000000`` makes matches of 100 moves each on real PostgreSQL, turns
the table into a partitioned one while moves are played and another connection reads, and makes partitions ahead. Then
matches of the second partition are played while the first one moves to another tablespace. It prints what each took,
how long players and readers waited, the sizes, the tables that reading a match locks, and PostgreSQL's processor time
for finding the moves of a match before and afterwards.
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
from random import Random
from statistics import median
from threading import Event, Thread
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import django
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.utils import timezone

from benchmarks.moves_table import EACH, backend, fill, processor_seconds
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
        measure("nothing for 5 seconds", lambda: Event().wait(5))
        measure("partitioning, and partitions ahead", lambda: call_command("partition_moves", size=size))
        print_finding("partitioned")
        if os.geteuid() == 0:
            account = pwd.getpwnam(UNPRIVILEGED)
            os.chown(slow, account.pw_uid, account.pw_gid)
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE TABLESPACE slow LOCATION '{slow}'")
            cursor.execute(f"ALTER SEQUENCE matches_match_id_seq RESTART WITH {3 * size}")
        measure("partitions ahead", lambda: call_command("partition_moves", size=size))
        measure(
            "moving the first partition, while matches of the second are played",
            lambda: call_command("partition_moves", size=size, before=3 * size, tablespace="slow"),
            read_also=3 * size,
        )
        print_finding("the first partition elsewhere")


def measure(what: str, do: Callable[[], object], *, read_also: int | None = None) -> None:
    """Do something while others play and read; print how long it took, and how long they waited."""
    moves: list[float] = []
    reads: dict[int, list[float]] = {1: []}
    if read_also is not None:
        reads[read_also] = []
    over = Event()
    threads = [Thread(target=play, args=(over, moves))]
    threads += [Thread(target=read, args=(match, over, waits)) for match, waits in reads.items()]
    for thread in threads:
        thread.start()
    # Each has connected and played for a while.
    over.wait(2)
    begun = perf_counter()
    do()
    seconds = perf_counter() - begun
    over.wait(1)
    over.set()
    for thread in threads:
        thread.join()
    print(f"{what}: {seconds:.1f} s; {describe('moves', moves)}", end="")
    for match, waits in reads.items():
        print(f"; {describe(f'readers of match {match}', waits)}", end="")
    print(flush=True)


def describe(who: str, waits: list[float]) -> str:
    """Say how long they waited."""
    return f"{len(waits)} {who} took {1e3 * median(waits):.0f} ms, {1e3 * max(waits):.0f} ms at most"


def play(over: Event, waits: list[float]) -> None:
    """Play random moves in new matches, and note how long each took."""
    from matches.clock import CORRESPONDENCE
    from matches.services import play_move, start_match
    from players.models import Player

    yellow, red = Player.objects.order_by("pk")[:2]
    source = Random(1)
    match = None
    while not over.wait(0.002):
        if match is None or not match.side:
            match = start_match(
                game="streetsoccer-board",
                yellow=yellow,
                red=red,
                time_control=CORRESPONDENCE,
                now=timezone.now(),
                seed=source.randbytes(32),
            )
        text = source.choice(match.state.legal_moves())
        begun = perf_counter()
        match = play_move(
            match_id=match.pk, player=match.player_to_act, ply=match.ply, text=text, now=timezone.now()
        ).match
        waits.append(perf_counter() - begun)
    connection.close()


def read(match: int, over: Event, waits: list[float]) -> None:
    """Read the last move of a match again and again, and note how long each answer took."""
    while not over.wait(0.002):
        begun = perf_counter()
        with connection.cursor() as cursor:
            cursor.execute("SELECT text FROM matches_move WHERE match_id = %s ORDER BY ply DESC LIMIT 1", [match])
            cursor.fetchall()
        waits.append(perf_counter() - begun)
    connection.close()


def print_finding(what: str) -> None:
    """Print the sizes, what reading a match locks, and PostgreSQL's processor time for finding its moves."""
    times, server = 2000, backend()
    begun = processor_seconds(server)
    with connection.cursor() as cursor:
        for match in range(1, times + 1):
            cursor.execute("SELECT ply, actor, text FROM matches_move WHERE match_id = %s ORDER BY ply", [match])
            cursor.fetchall()
    milliseconds = 1e3 * (processor_seconds(server) - begun) / times
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT ply, actor, text FROM matches_move WHERE match_id = %s ORDER BY ply", [1])
        cursor.execute(
            "SELECT relation::regclass::text FROM pg_locks JOIN pg_class ON pg_class.oid = relation"
            " WHERE pid = pg_backend_pid() AND relname LIKE 'matches_move%' AND relkind IN ('r', 'p') ORDER BY 1"
        )
        locked = ", ".join(name for (name,) in cursor.fetchall())
        cursor.execute(
            "SELECT sum(pg_table_size(relid))::bigint, sum(pg_indexes_size(relid))::bigint"
            " FROM pg_partition_tree('matches_move') WHERE isleaf UNION ALL"
            " SELECT pg_table_size('matches_move'), pg_indexes_size('matches_move')"
        )
        table, indexes = max((sizes for sizes in cursor.fetchall() if sizes[0] is not None), key=sum)
    print(
        f"{what}: table {table / 1e6:,.0f} MB, indexes {indexes / 1e6:,.0f} MB; the moves of a match lock {locked},"
        f" {milliseconds:.3f} ms of PostgreSQL",
        flush=True,
    )


if __name__ == "__main__":
    main()
