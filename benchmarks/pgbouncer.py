"""Play moves through PgBouncer in transaction mode, and check what could break there.

    python benchmarks/pgbouncer.py --moves 2000

Needs ``pgbouncer`` (Debian: ``apt-get install pgbouncer``), and says so where there is none. Starts PostgreSQL, whose
time zone is not that of the site, and PgBouncer in front of it with fewer connections than clients. From version 1.21
on statements are prepared; before, ``PREPARED_STATEMENTS=0`` and ``DISABLE_SERVER_SIDE_CURSORS`` are set, as
docs/operating.md says. Then matches are played by as many threads as there are clients, a number is counted up under a
named lock, a snapshot is read while others write, rows are read in chunks, and everything stored is verified.
"""

from __future__ import annotations

import argparse
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import psycopg

from tests.plugins.real_servers import UNPRIVILEGED, fresh_directory, run_postgresql

GAME = "streetsoccer-board"
PREPARES_FROM = (1, 21)
PROGRAM = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin") or ""

INI = """
[databases]
* = host={server} user=kickabout pool_size={pool}
[pgbouncer]
listen_addr =
listen_port = 5432
unix_socket_dir = {directory}
auth_type = any
pool_mode = transaction
max_client_conn = 500
{prepared}
"""


@contextmanager
def pooled(server: str, pool: int) -> Any:
    """Run PgBouncer in front of the server in a directory; gives its own directory, and whether it prepares."""
    found = re.search(
        r"(\d+)\.(\d+)", subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    )
    version = tuple(map(int, found.groups()))
    prepares = version >= PREPARES_FROM
    directory = fresh_directory("bouncer")
    (directory / "pgbouncer.ini").write_text(
        INI.format(
            server=server, pool=pool, directory=directory, prepared="max_prepared_statements = 100" if prepares else ""
        )
    )
    as_user: dict[str, Any] = {}
    if os.geteuid() == 0:
        account = pwd.getpwnam(UNPRIVILEGED)
        os.chown(directory, account.pw_uid, account.pw_gid)
        as_user = {"user": UNPRIVILEGED, "group": account.pw_gid, "extra_groups": []}
    process = subprocess.Popen([PROGRAM, "-q", directory / "pgbouncer.ini"], stderr=subprocess.DEVNULL, **as_user)
    try:
        for _ in range(100):
            try:
                psycopg.connect(f"host={directory} user=kickabout dbname=postgres").close()
                break
            except psycopg.OperationalError:
                time.sleep(0.1)
        print(f"PgBouncer {version[0]}.{version[1]}, {pool} connections, statements prepared: {prepares}")
        yield directory, prepares
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(directory, ignore_errors=True)


def play(seed: int, moves: int) -> int:
    """Play random moves in matches of two players; return how many were stored."""
    from django.db import connection
    from django.utils import timezone

    from matches.clock import CORRESPONDENCE
    from matches.services import play_move, start_match
    from players.models import Player

    source = Random(seed)
    players = [Player.objects.create(username=f"player-{seed}-{number}") for number in range(2)]
    played, match = 0, None
    while played < moves:
        if match is None or not match.side:
            match = start_match(
                game=GAME,
                yellow=players[0],
                red=players[1],
                time_control=CORRESPONDENCE,
                now=timezone.now(),
                seed=source.randbytes(32),
            )
        text = source.choice(match.state.legal_moves())
        done = play_move(match_id=match.pk, player=match.player_to_act, ply=match.ply, text=text, now=timezone.now())
        match, played = done.match, played + 1
    connection.close()
    return played


def count_up(times: int) -> None:
    """Read a number and write the next one, under a named lock that alone keeps others out."""
    from django.db import connection, transaction

    from database.named_locks import lock_name

    for _ in range(times):
        with transaction.atomic():
            lock_name("counter")
            with connection.cursor() as cursor:
                cursor.execute("SELECT number FROM counter")
                (number,) = cursor.fetchone()
                cursor.execute("UPDATE counter SET number = %s", [number + 1])
    connection.close()


def check_locks(clients: int) -> None:
    """Check that named locks keep each other out although their connections are shared."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE counter AS SELECT 0 AS number")
    with ThreadPoolExecutor(clients) as threads:
        list(threads.map(count_up, [50] * clients))
    with connection.cursor() as cursor:
        cursor.execute("SELECT number FROM counter")
        (number,) = cursor.fetchone()
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
        (held,) = cursor.fetchone()
    if (number, held) != (50 * clients, 0):
        raise SystemExit(f"Named locks counted {number}, not {50 * clients}; {held} are still held.")
    print(f"named locks: {number} increments, none lost, none held afterwards")


def check_reading() -> None:
    """Check snapshots, rows that are read in chunks, and that moments are those of the site's time zone."""
    from django.db import connection

    from database.snapshots import snapshot
    from matches.models import Match, Move
    from players.models import Player

    def add_player() -> None:
        Player.objects.create(username="latecomer")
        connection.close()

    with snapshot():
        before = Player.objects.count()
        with ThreadPoolExecutor(1) as thread:
            thread.submit(add_player).result()
        inside = Player.objects.count()
    if (inside, Player.objects.count()) != (before, before + 1):
        raise SystemExit("A snapshot has changed, or its transaction has not ended.")
    rows = sum(1 for _move in Move.objects.order_by("match_id", "ply").iterator(chunk_size=100))
    if rows != Move.objects.count():
        raise SystemExit("Rows that were read in chunks are missing.")
    for match in Match.objects.all()[:20]:
        if match.created_at.utcoffset().total_seconds() or match.last_move_at < match.created_at:
            raise SystemExit("A moment came in another time zone.")
    print(f"snapshots, {rows} rows in chunks and moments are right")


def main() -> None:
    """Start everything, play, check, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=2000, help="how many moves are played (default: 2,000)")
    parser.add_argument("--clients", type=int, default=8, help="how many threads play (default: 8)")
    parser.add_argument("--pool", type=int, default=3, help="connections of PgBouncer to PostgreSQL (default: 3)")
    options = parser.parse_args()
    if not PROGRAM:
        raise SystemExit("There is no pgbouncer on this machine: apt-get install pgbouncer")
    with ExitStack() as stack:
        url, server = run_postgresql()
        stack.callback(server.stop)
        own = "/" + url.partition("@/")[2].strip("/").rpartition("/")[0]
        with psycopg.connect(f"host={own} user=kickabout dbname=postgres", autocommit=True) as connection:
            connection.execute("ALTER DATABASE postgres SET TimeZone = 'Asia/Tokyo'")
        data = stack.enter_context(tempfile.TemporaryDirectory())
        directory, prepares = stack.enter_context(pooled(own, options.pool))
        os.environ.update(
            DATABASE_URL=f"postgres://kickabout@/{directory}/postgres?DISABLE_SERVER_SIDE_CURSORS=True",
            DATA_DIR=data,
            CONN_MAX_AGE="0",
            PREPARED_STATEMENTS=str(int(prepares)),
            DJANGO_SETTINGS_MODULE="config.settings",
        )
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        begun = time.perf_counter()
        with ThreadPoolExecutor(options.clients) as threads:
            played = sum(
                threads.map(play, range(options.clients), [options.moves // options.clients] * options.clients)
            )
        print(f"{played} moves by {options.clients} clients in {time.perf_counter() - begun:.1f} s, no error")
        check_locks(options.clients)
        check_reading()
        call_command("verify_matches")


if __name__ == "__main__":
    main()
