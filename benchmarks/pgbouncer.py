"""Play moves through PgBouncer in transaction mode, compare it with PostgreSQL alone, and check what could break there.

    python benchmarks/pgbouncer.py --moves 2000 --program /usr/sbin/pgbouncer

Needs ``pgbouncer`` (Debian: ``apt-get install pgbouncer``), and says so where there is none. Starts PostgreSQL, whose
time zone is not that of the site, and PgBouncer in front of it, with the configuration of the Compose file but fewer
connections than clients. From version 1.21 on statements are prepared; before, ``PREPARED_STATEMENTS=0`` is set, as
docs/operating.md says. Clients send moves over HTTP with tokens, directly, through PgBouncer, and through PgBouncer by
a site that connects for each request, in turns. Every time the matches must come to the same positions with the same
moves. Then the limits of statements and locks are read, a number is counted up under a named lock, a snapshot is read
while others write, rows are read in chunks, and everything stored is verified.
"""

import argparse
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random
from secrets import token_hex
from socket import socket
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import psycopg

from benchmarks.http_clients import ROOT, Script, play_over_http, served
from benchmarks.moves import TEMPLATE, Databases, configure, prepare
from benchmarks.processor_time import processor_seconds
from tests.plugins.real_servers import UNPRIVILEGED, fresh_directory, run_postgresql, run_valkey

PREPARES_FROM = (1, 21)
PROGRAM = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
PASSWORD = token_hex()
DATABASE_LINE = "kickabout = host=postgres dbname=kickabout"
"""The beginning of the line of the configuration by which PgBouncer finds PostgreSQL."""

LIMITS = {"statement_timeout": "30s", "lock_timeout": "15s"}
"""What PostgreSQL is told by ``connect_query``."""

POOLING = "?DISABLE_SERVER_SIDE_CURSORS=True"
"""The query in the settings' URL of any database behind PgBouncer."""


@contextmanager
def pooled(program: str, databases: Databases, pool: int) -> Iterator[tuple[str, bool]]:
    """Run PgBouncer in front of a server; gives the beginning of URLs through it, and whether it prepares."""
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    version = tuple(map(int, said.split()[1].split(".")))
    prepares = version >= PREPARES_FROM
    directory = fresh_directory("bouncer")
    with closing(socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    own = {
        "listen_addr": "127.0.0.1",
        "listen_port": port,
        "auth_file": directory / "users.txt",
        "default_pool_size": pool,
    } | ({} if prepares else {"max_prepared_statements": None})
    text = (ROOT / "docker/pgbouncer.ini").read_text()
    for name, value in own.items():
        text = re.sub(rf"^{name} = .*\n", "" if value is None else f"{name} = {value}\n", text, flags=re.MULTILINE)
    text = text.replace(DATABASE_LINE, f"* = host={databases.directory} user=kickabout")
    (directory / "pgbouncer.ini").write_text(text)
    (directory / "users.txt").write_text(f'"kickabout" "{PASSWORD}"\n')
    as_user: dict[str, Any] = {}
    if os.geteuid() == 0:
        account = pwd.getpwnam(UNPRIVILEGED)
        as_user = {"user": UNPRIVILEGED, "group": account.pw_gid, "extra_groups": []}
    process = subprocess.Popen([program, "-q", directory / "pgbouncer.ini"], **as_user)
    try:
        await_pool(f"host=127.0.0.1 port={port} user=kickabout password={PASSWORD} dbname=postgres", process)
        print(f"PgBouncer {'.'.join(map(str, version))}, {pool} connections, statements prepared: {prepares}")
        yield f"postgres://kickabout:{PASSWORD}@127.0.0.1:{port}", prepares
    finally:
        # At SIGTERM it would wait for clients.
        process.send_signal(signal.SIGQUIT)
        process.wait()
        shutil.rmtree(directory, ignore_errors=True)


def await_pool(address: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until PgBouncer answers."""
    for _ in range(100):
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError:
            if process.poll() is not None:
                break
            time.sleep(0.1)
        else:
            return
    raise SystemExit("PgBouncer does not answer.")


def write_scripts(moves: int, clients: int, seed: int) -> list[Script]:
    """Make up so many moves in the database of the settings, in more matches than there are clients."""
    source = Random(seed)
    scripts: list[Script] = []
    while sum(map(len, scripts)) < moves or len(scripts) < 2 * clients:
        scripts += prepare(1, source, first=len(scripts))
    surplus = sum(map(len, scripts)) - moves
    while surplus > 0:
        longest = max(scripts, key=len)
        longest.pop()
        surplus -= 1
    return scripts


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


def check_limits() -> None:
    """Check that PostgreSQL has the limits that PgBouncer takes from no client, and ends what exceeds them."""
    from django.db import OperationalError, connection, transaction

    with connection.cursor() as cursor:
        for name, wanted in LIMITS.items():
            cursor.execute(f"SHOW {name}")
            (found,) = cursor.fetchone()
            if found != wanted:
                raise SystemExit(f"{name} is {found}, not {wanted}.")
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 100")
            cursor.execute("SELECT pg_sleep(1)")
    except OperationalError:
        print("limits of statements and locks are those of connect_query, and hold")
    else:
        raise SystemExit("A statement was not ended.")


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
    parser.add_argument("--clients", type=int, default=8, help="how many play at once (default: 8)")
    parser.add_argument("--pool", type=int, default=3, help="connections of PgBouncer to PostgreSQL (default: 3)")
    parser.add_argument("--rounds", type=int, default=3, help="turns that each way takes (default: 3)")
    parser.add_argument("--program", default=PROGRAM, help="which pgbouncer (default: the one that is installed)")
    options = parser.parse_args()
    if not options.program:
        raise SystemExit("There is no pgbouncer on this machine: apt-get install pgbouncer")
    with ExitStack() as stack:
        url, server = run_postgresql()
        stack.callback(server.stop)
        redis, valkey = run_valkey()
        stack.callback(valkey.stop)
        databases = Databases(url)
        with closing(databases.connect("postgres")) as direct:
            direct.execute("ALTER ROLE kickabout SET TimeZone = 'Asia/Tokyo'")
        databases.create(TEMPLATE)
        through, prepares = stack.enter_context(pooled(options.program, databases, options.pool))
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ["PREPARED_STATEMENTS"] = str(int(prepares))
        environment = configure(f"{through}/{TEMPLATE}{POOLING}", redis, data)
        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        scripts = write_scripts(options.moves, options.clients, seed=1)
        leave(databases)
        name = compare(databases, environment, f"{through}/", scripts, options)
        # The last one was played through PgBouncer, by which this process is connected.
        connection.settings_dict["NAME"] = name
        check_limits()
        check_locks(options.clients)
        check_reading()
        call_command("verify_matches")


def compare(
    databases: Databases,
    environment: dict[str, str],
    through: str,
    scripts: list[Script],
    options: argparse.Namespace,
) -> str:
    """Play the moves in each way in turns, and print what they cost; return the name of the last database."""
    ways: dict[str, tuple[str, dict[str, str]]] = {
        "directly": (databases.url(""), {"PREPARED_STATEMENTS": "1"}),
        "through it": (through, {}),
        "through it with a connection for each request": (through, {"CONN_MAX_AGE": "0"}),
    }
    costs: dict[str, list[float]] = {way: [] for way in ways}
    moves, reached, name = sum(map(len, scripts)), None, ""
    for number in range(options.rounds):
        for place, (way, (address, settings)) in enumerate(ways.items()):
            name = f"played{number}_{place}"
            databases.create(name, TEMPLATE)
            own = {**environment, **settings, "DATABASE_URL": f"{address}{name}{POOLING}"}
            with served(own, 2, 4) as port:
                before = processor_seconds()
                seconds = play_over_http(scripts, options.clients, port)
                worked = processor_seconds() - before
            played = databases.positions(name)
            reached = reached or played
            if played != reached:
                raise SystemExit(f"The matches that were played {way} did not come to the same positions.")
            del worked["clients"]
            costs[way].append(1000 * sum(worked.values()) / moves)
            each = ", ".join(f"{who} {1000 * cost / moves:.2f}" for who, cost in worked.most_common(4))
            print(f"{moves} moves {way} in {seconds:.1f} s; ms a move: {each}", flush=True)
    for way, found in costs.items():
        ratio = median(cost / direct for cost, direct in zip(found, costs["directly"], strict=True))
        print(f"{way}: {median(found):.2f} ms of processor time a move, {ratio:.2f} of directly")
    stored = sum(rows for _position, _ply, rows in reached or [])
    print(f"{stored} moves and rolls stored each time, in the same positions", flush=True)
    return name


def leave(databases: Databases) -> None:
    """End all connections to the database that is copied, PgBouncer's too."""
    from django.db import connection

    connection.close()
    with closing(databases.connect("postgres")) as other:
        other.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", [TEMPLATE])


if __name__ == "__main__":
    main()
