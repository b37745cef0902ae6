"""Measure how many moves a second the site stores, compared with bare SQL that stores the same.

    python benchmarks/moves.py --clients 16 --rounds 7 --seed 1

The moves of many matches were made up before. The clients send them over HTTP with tokens through granian, one
connection a client, as a reverse proxy does: a free client sends the next move of the match that has waited longest.
Then as many pgbench processes send the SQL that Django sends for just these moves, statement for statement, to a
database with the same rows. Each has connected and prepared all its statements before the time begins, and sends only
their names and values. Both take turns in the same run, so that a busy machine slows both; the median of the turns'
ratios counts. PostgreSQL commits to disk, as in production.

Processor time a move is printed for the web processes, PostgreSQL, Valkey and the clients: it depends less on what else
the machine does. By default a client prefers the short answer, as one does that keeps a board of its own.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import psycopg
from psycopg import sql

from benchmarks.http_clients import Script, Submission, play_over_http, served, start_by_correspondence
from benchmarks.processor_time import processor_seconds
from tests.plugins.real_servers import find_postgresql, start_postgresql, start_valkey

GAME = "streetsoccer-board"
TEMPLATE = "prepared"
START = 1
"""The lock for which all clients of pgbench wait before they send moves."""


class Databases:
    """Databases on one server: copies of the one in which the matches have been prepared."""

    def __init__(self, url: str) -> None:
        """Use the server at ``url``, such as ``postgres://user@//directory/postgres``."""
        self._stem = url.rpartition("/")[0]
        self.directory = "/" + self._stem.partition("@/")[2].strip("/")

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        return f"{self._stem}/{name}"

    def connect(self, name: str) -> psycopg.Connection[Any]:
        """Return a connection that commits each statement."""
        return psycopg.connect(f"host={self.directory} user=kickabout dbname={name}", autocommit=True)

    def create(self, name: str, template: str = "template1") -> None:
        """Make a database anew."""
        with closing(self.connect("postgres")) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        with closing(self.connect(name)) as connection:
            connection.execute("VACUUM ANALYZE")
            connection.execute("CHECKPOINT")

    def positions(self, name: str) -> list[tuple[Any, ...]]:
        """Return where every match has come to: its position, its number of moves, and how many of them are stored."""
        query = (
            "SELECT position, ply, (SELECT count(*) FROM matches_move WHERE match_id = matches_match.id)"
            " FROM matches_match ORDER BY id"
        )
        with closing(self.connect(name)) as connection:
            return connection.execute(query).fetchall()


def prepare(matches: int, source: Random, first: int = 0, game: str = GAME) -> list[Script]:
    """Start the matches in the database of the settings, and make up all their moves; return each match's.

    Players are numbered from ``first`` on.
    """
    from players.models import Player, Scope
    from players.services import create_token

    now = datetime.now(UTC)
    scripts = []
    for number in range(first, first + matches):
        players = [Player.objects.create(username=f"{name}{number}") for name in ("yellow", "red")]
        secrets = [create_token(player=each, name="bot", scopes=[Scope.PLAY], now=now)[1] for each in players]
        match = start_by_correspondence(game, players, source)
        scripts.append(list(make_up(match, dict(zip(("yellow", "red"), secrets, strict=True)), source)))
    return scripts


def make_up(match: Any, secrets: dict[str, str], source: Random) -> Iterator[Submission]:
    """Yield random moves of a whole match. Nothing is stored."""
    from matches.services import progress

    match = copy(match)
    while match.side:
        text = source.choice(match.state.legal_moves())
        body = json.dumps({"ply": match.ply, "text": text}).encode()
        yield Submission(f"/api/v1/matches/{match.pk}/moves/", secrets[match.side], body)
        progress.play(match, match.state.play(text), match.side, [text], now=match.last_move_at)


Statement = tuple[str, tuple[Any, ...]]
"""SQL with a placeholder for each value, and the values."""


def record(scripts: list[Script]) -> list[list[list[Statement]]]:
    """Play everything in this process, in the database of the settings; return the statements of every move."""
    from django.db import connection, reset_queries
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    def play(submission: Submission) -> list[Statement]:
        # Django keeps a few thousand at most.
        reset_queries()
        sent: list[Statement] = []

        def note(execute: Any, text: str, params: Any, many: bool, context: Any) -> Any:
            sent.append((text, tuple(params or ())))
            return execute(text, params, many, context)

        with CaptureQueriesContext(connection) as captured, connection.execute_wrapper(note):
            response = Client().post(
                submission.path,
                submission.body,
                content_type="application/json",
                headers={
                    "Authorization": f"Bearer {submission.secret}",
                    "Host": "localhost",
                    "Prefer": submission.preference,
                },
            )
        if response.status_code != 201:
            raise SystemExit(f"{response.status_code}: {response.content.decode()}")
        # Django begins and commits without its wrappers of statements.
        following = iter(sent)
        return [(query["sql"], ()) if query["sql"] in {"BEGIN", "COMMIT"} else next(following) for query in captured]

    statements = [[play(submission) for submission in script] for script in scripts]
    connection.close()
    return statements


def write_script(statements: list[Statement], connection: psycopg.Connection[Any]) -> str:
    """Return what pgbench is to do: prepare what these statements have in common, wait for the start, and send them."""
    names: dict[str, str] = {}
    sent = []
    for text, values in statements:
        if not values:
            sent.append(f"{text};")
            continue
        name = names.setdefault(text, f"statement_{len(names)}")
        literals = ", ".join(sql.Literal(value).as_string(connection) for value in values)
        sent.append(f"EXECUTE {name} ({literals});")
    prepared = [f"PREPARE {name} AS {_number_placeholders(text)};" for text, name in names.items()]
    start = f"SELECT pg_advisory_lock_shared({START});"
    return "\n".join([*prepared, start, *sent, ""])


def _number_placeholders(text: str) -> str:
    first, *rest = text.split("%s")
    return (first + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))).replace("%%", "%")


def play_by_pgbench(files: list[Path], databases: Databases, name: str) -> float:
    """Let one pgbench for each client send its statements; return the seconds from their start until all are done."""
    command = [str(find_postgresql() / "pgbench"), "-h", databases.directory, "-U", "kickabout", "-n", "-c", "1"]
    with closing(databases.connect(name)) as gate:
        gate.execute("SELECT pg_advisory_lock(%s)", [START])
        running = [
            subprocess.Popen(
                [*command, "-t", "1", "-f", str(file), name], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
            for file in files
        ]
        waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND NOT granted"
        while gate.execute(waiting, [START]).fetchall() != [(len(files),)]:
            if any(process.poll() for process in running):
                break
            time.sleep(0.01)
        begun = time.perf_counter()
        gate.execute("SELECT pg_advisory_unlock(%s)", [START])
        errors = [process.communicate()[1] for process in running]
    seconds = time.perf_counter() - begun
    if any(process.returncode for process in running):
        raise SystemExit(b"".join(errors).decode())
    return seconds


def configure(url: str, redis: str, data: Path) -> dict[str, str]:
    """Return the environment of a public site on this machine, and set up Django with it."""
    import django

    os.environ.update(
        DEBUG="0",
        SECRET_KEY="".join(chr(33 + number) for number in range(60)),
        ALLOWED_HOSTS="localhost",
        HTTPS="0",
        DATABASE_URL=url,
        REDIS_URL=redis,
        DATA_DIR=str(data),
        STATIC_ROOT=str(data),
        LOG_LEVEL="WARNING",
        THROTTLE_WRITE="1000000/min",
        DJANGO_SETTINGS_MODULE="config.settings",
    )
    django.setup()
    return dict(os.environ)


@contextmanager
def fresh_site() -> Iterator[tuple[Databases, dict[str, str]]]:
    """Start the servers of a public site whose database commits to disk, and make its tables; gives its environment."""
    with ExitStack() as stack:
        url, postgresql = start_postgresql(durable=True)
        stack.callback(postgresql.stop if postgresql else lambda: None)
        redis, valkey = start_valkey()
        stack.callback(valkey.stop if valkey else lambda: None)
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        databases = Databases(url)
        databases.create(TEMPLATE)
        environment = configure(databases.url(TEMPLATE), redis, data)
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        yield databases, environment


def read_options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=16, help="how many play at once (default: 16)")
    parser.add_argument("--matches", type=int, default=2, help="matches for each of them (default: 2)")
    parser.add_argument("--rounds", type=int, default=7, help="turns that both take (default: 7)")
    parser.add_argument("--workers", type=int, default=2, help="granian's processes (default: 2)")
    parser.add_argument("--threads", type=int, default=4, help="threads of each that answer (default: 4)")
    parser.add_argument("--whole", action="store_true", help="have moves answered with the whole match")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random matches (default: 1)")
    return parser.parse_args()


def main() -> None:
    """Prepare, let both take turns, and print."""
    options = read_options()
    with ExitStack() as stack:
        databases, environment = stack.enter_context(fresh_site())
        from django.db import connection

        scripts = prepare(options.clients * options.matches, Random(options.seed))
        if options.whole:
            scripts = [[replace(each, preference="return=representation") for each in script] for script in scripts]
        connection.close()
        databases.create("recorded", TEMPLATE)
        connection.settings_dict["NAME"] = "recorded"
        statements = record(scripts)
        files = []
        for client in range(options.clients):
            files.append(Path(environment["DATA_DIR"]) / f"{client}.sql")
            share = statements[client :: options.clients]
            with closing(databases.connect("recorded")) as shaping:
                files[-1].write_text(
                    write_script([each for script in share for move in script for each in move], shaping)
                )
        moves = sum(map(len, scripts))
        queries = sorted(len(move) for script in statements for move in script)
        print(f"{moves} moves in {options.clients * options.matches} matches, {options.clients} clients")
        print(f"queries a move: {mean(queries):.2f}, half of them at most {queries[len(queries) // 2]}")
        print(f"{'round':<7}{'moves/s':>9}{'pgbench/s':>11}{'ratio':>7}")
        rates = []
        for number in range(1, options.rounds + 1):
            databases.create("played", TEMPLATE)
            environment["DATABASE_URL"] = databases.url("played")
            with served(environment, options.workers, options.threads) as port:
                before = processor_seconds()
                ours = moves / play_over_http(scripts, options.clients, port)
                worked = processor_seconds() - before
            databases.create("replayed", TEMPLATE)
            bare = moves / play_by_pgbench(files, databases, "replayed")
            if databases.positions("played") != databases.positions("replayed"):
                raise SystemExit("Moves and SQL did not lead to the same rows.")
            rates.append((ours, bare, ours / bare))
            costs = ", ".join(f"{name} {1000 * seconds / moves:.2f}" for name, seconds in worked.most_common(4))
            print(f"{number:<7}{ours:>9.0f}{bare:>11.0f}{ours / bare:>7.2f}   ms a move: {costs}", flush=True)
        ours, bare, ratio = (median(column) for column in zip(*rates, strict=True))
        print(f"{'median':<7}{ours:>9.0f}{bare:>11.0f}{ratio:>7.2f}")


if __name__ == "__main__":
    main()
