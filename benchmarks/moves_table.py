"""Measure what the key of moves costs: the size of the table, a move's statement, and the change of an old table.

``.venv/bin/python benchmarks/moves_table.py --moves 1000000`` makes matches of 100 moves each on real PostgreSQL, in
the table as it was while moves had numbers of their own. It prints the table's size, and the processor time in which
PostgreSQL stores moves by the statement of ``matches/services/move_storage.py``. Then it changes the table as the
migration does, while another connection goes on reading moves, and prints the same again.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from contextlib import ExitStack
from copy import copy
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from time import perf_counter, process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import django
from django.apps import apps
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from tests.plugins.real_servers import run_postgresql

BEFORE = ("matches", "0017_find_matches_by_game")
EACH = 100
"""Moves of each match before the measured ones."""
TICKS = os.sysconf("SC_CLK_TCK")

MOVES = """
    INSERT INTO matches_move (match_id, ply, actor, text, played_at, thinking, is_drawn)
    SELECT matches_match.id, number, 'yellow', 'd4-e5 g7-g9', now(), 12345, false
    FROM generate_series(0, %s) AS number, matches_match
    ORDER BY number, matches_match.id
"""


def main() -> None:
    """Start a database, measure with numbered moves, change the table, and measure again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=1_000_000, help="moves in the table (default: 1,000,000)")
    parser.add_argument("--stored", type=int, default=20_000, help="moves that are stored singly (default: 20,000)")
    options = parser.parse_args()
    with ExitStack() as stack:
        url, server = run_postgresql(durable=True)
        stack.callback(server.stop)
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ |= {"DATABASE_URL": url, "DATA_DIR": directory, "DJANGO_SETTINGS_MODULE": "config.settings"}
        django.setup()
        stack.callback(connections.close_all)
        call_command("migrate", verbosity=0)
        number_moves()
        fill(options.moves // EACH)
        before = report("moves with numbers of their own", options.stored)
        change()
        after = report("moves by match and ply", options.stored)
        print(f"a move's statement: {after / before:.2f} of before")
        with connection.cursor() as cursor:
            cursor.execute("VACUUM FULL matches_move")
        print_sizes("the same after VACUUM FULL")


def number_moves() -> None:
    """Make the table as it was."""
    from matches.models import Move

    old = MigrationLoader(None, replace_migrations=False).project_state(BEFORE).apps.get_model("matches", "Move")
    with connection.schema_editor() as editor:
        editor.delete_model(Move)
        editor.create_model(old)


def fill(matches: int) -> None:
    """Store matches, and the moves of all of them in the order in which they were played."""
    from matches.clock import CORRESPONDENCE
    from matches.models import Match
    from matches.services import start_match
    from players.models import Player

    yellow, red = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    match = start_match(
        game="streetsoccer-board", yellow=yellow, red=red, time_control=CORRESPONDENCE, now=timezone.now()
    )
    Match.objects.filter(pk=match.pk).update(ply=EACH)
    match.refresh_from_db()
    match.pk = None
    Match.objects.bulk_create([copy(match) for _ in range(matches - 1)], batch_size=2000)
    with connection.cursor() as cursor:
        # Whether each match exists need not be asked millions of times.
        cursor.execute("SET session_replication_role = replica")
        cursor.execute(MOVES, [EACH - 1])
        cursor.execute("RESET session_replication_role")
        cursor.execute("VACUUM ANALYZE matches_move")
        cursor.execute("VACUUM ANALYZE matches_match")
        cursor.execute("CHECKPOINT")


def report(what: str, stored: int) -> float:
    """Print the sizes and the processor time of a move's statement; return PostgreSQL's share of it in ms."""
    from matches.models import Match, Move
    from matches.services.move_storage import store_moves

    print_sizes(what)
    matches = list(Match.objects.order_by("pk")[:stored])
    server = backend()
    database, own = processor_seconds(server), process_time()
    for number in range(stored):
        match = matches[number % len(matches)]
        move = Move(
            match=match,
            ply=match.ply,
            actor="yellow",
            text="d4-e5",
            played_at=timezone.now(),
            thinking=1,
            is_drawn=False,
        )
        match.ply += 1
        if not store_moves(match, [move]):
            raise SystemExit("A move was not stored.")
    database, own = processor_seconds(server) - database, process_time() - own
    print(f"  storing a move: PostgreSQL {1e3 * database / stored:.3f} ms, the site {1e3 * own / stored:.3f} ms")
    return database / stored


def change() -> None:
    """Change the table while another connection reads; print how long it took, and how long a reader waited."""
    migration = import_module("matches.migrations.0018_key_moves_by_match_and_ply")
    waits: list[float] = []
    over = Event()
    reading = Thread(target=read, args=(over, waits))
    reading.start()
    begun = perf_counter()
    with connection.schema_editor(atomic=False) as editor:
        migration.key_by_match_and_ply(apps, editor)
    seconds = perf_counter() - begun
    over.set()
    reading.join()
    print(
        f"changing the table: {seconds:.1f} s; {len(waits)} readers meanwhile waited {1e3 * max(waits):.1f} ms at most"
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE matches_move")
        cursor.execute("CHECKPOINT")


def read(over: Event, waits: list[float]) -> None:
    """Read the last move of a match again and again, and note how long each answer took."""
    while not over.wait(0.002):
        begun = perf_counter()
        with connection.cursor() as cursor:
            cursor.execute("SELECT text FROM matches_move WHERE match_id = 1 ORDER BY ply DESC LIMIT 1")
            cursor.fetchall()
        waits.append(perf_counter() - begun)
    connection.close()


def print_sizes(what: str) -> None:
    """Print how large the table and each of its indexes is."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_table_size('matches_move'), pg_indexes_size('matches_move')")
        table, indexes = cursor.fetchone()
        cursor.execute(
            "SELECT indexrelid::regclass::text, pg_relation_size(indexrelid) FROM pg_index"
            " WHERE indrelid = 'matches_move'::regclass ORDER BY 1"
        )
        each = ", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in cursor.fetchall())
    print(f"{what}: table {table / 1e6:.0f} MB, indexes {indexes / 1e6:.0f} MB ({each})", flush=True)


def backend() -> int:
    """Return the id of the process that serves this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def processor_seconds(process: int) -> float:
    """Return the processor time that a process has had."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


if __name__ == "__main__":
    main()
