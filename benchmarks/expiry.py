"""Measure how many overdue matches a second the sweep ends, compared with bare SQL that writes the same.

    python benchmarks/expiry.py --matches 1000000 --due 100000

Correspondence matches are running, and of some the deadline has passed. Most of their players have no vacation left;
of a few, a day saves all clocks. The sweep runs over them in one database; in a copy of it psycopg sends the very
UPDATEs and INSERTs that the sweep sent, in the same transactions. Then the sweep runs where
nothing is due. PostgreSQL commits to disk, as in production.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import psycopg

from tests.plugins.real_servers import start_postgresql

WANTED = 0.25
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
YESTERDAY = NOW - timedelta(days=1)
GAME = "streetsoccer-board"
MATCHES_A_PLAYER = 50
DAYS_A_YEAR = 30
POSITIONS = 3000
BATCH = 5000
LOOKS = 200
WRITING = ("BEGIN", "COMMIT", "UPDATE", "INSERT")


class Server:
    """A PostgreSQL server of our own, and its databases."""

    def __init__(self, url: str) -> None:
        """Use the server at ``url``, such as ``postgres://user@//directory/postgres``."""
        self._stem = url.rpartition("/")[0]
        self._directory = "/" + self._stem.partition("@/")[2].strip("/")

    def url(self, name: str) -> str:
        """Return the URL of a database."""
        return f"{self._stem}/{name}"

    def connect(self, name: str) -> psycopg.Connection[Any]:
        """Return a connection that commits each statement."""
        return psycopg.connect(f"host={self._directory} user=kickabout dbname={name}", autocommit=True)

    def copy(self, name: str, template: str) -> None:
        """Make a database anew, as a copy."""
        with closing(self.connect("postgres")) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY')
            connection.execute("CHECKPOINT")


def positions(source: Random) -> list[tuple[str, str]]:
    """Return positions of random matches in which a side is to act, and that side."""
    from rules_engine.registry import get_game

    found: list[tuple[str, str]] = []
    while len(found) < POSITIONS:
        state = get_game(GAME).start()
        while state.turn is not None:
            chance = [roll.text for roll in state.chance()]
            if not chance:
                found.append((str(state), str(state.turn)))
            state = state.play(source.choice(chance or state.legal_moves()))
    return found[:POSITIONS]


def populate(matches: int, due: int, saved: int, source: Random) -> None:
    """Fill the database of the settings; ``saved`` players have all their vacation left."""
    from django.db import connection

    from matches.clock import CORRESPONDENCE
    from matches.models import Match
    from matches.services import start_match
    from players.models import Player

    players = max(2, matches // MATCHES_A_PLAYER)
    Player.objects.bulk_create(Player(username=f"p{number}") for number in range(players))
    yellow, red = Player.objects.order_by("pk")[:2]
    sample = start_match(game=GAME, yellow=yellow, red=red, time_control=CORRESPONDENCE, now=YESTERDAY)
    expressions = {
        "id": "n",
        "yellow_id": f"{yellow.pk} + n %% {players}",
        "red_id": f"{yellow.pk} + (n %% {players} + 1 + (n / {players}) %% {players - 1}) %% {players}",
        "position": "places.position",
        "side": "places.side",
        "deadline": "due_at",
        "turn_started_at": "due_at - interval '240 hours'",
    }
    fields = [field.column for field in Match._meta.concrete_fields]  # noqa: SLF001 - Django's own
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMPORARY TABLE places (number integer, position text, side text)")
        cursor.executemany(
            "INSERT INTO places VALUES (%s, %s, %s)",
            [(number, *place) for number, place in enumerate(positions(source))],
        )
        cursor.execute(
            f"""
            INSERT INTO matches_match ({", ".join(fields)})
            SELECT {", ".join(expressions.get(field, f"sample.{field}") for field in fields)}
            FROM generate_series(%(first)s, %(last)s) n
            CROSS JOIN LATERAL (
                SELECT CASE WHEN n %% %(every)s = 0 THEN %(now)s - make_interval(secs => n %% 3600)
                       ELSE %(now)s + make_interval(secs => 60 + n %% 800000) END AS due_at
            ) deadlines
            JOIN places ON places.number = n %% {POSITIONS}
            JOIN matches_match sample ON sample.id = %(sample)s
            """,  # noqa: S608 - only names and numbers of ours are put in
            {
                "first": sample.pk + 1,
                "last": sample.pk + matches,
                "every": matches // due if due else matches + sample.pk + 1,
                "now": NOW,
                "sample": sample.pk,
            },
        )
        cursor.execute("DELETE FROM matches_move")
        cursor.execute("DELETE FROM matches_match WHERE id = %s", [sample.pk])
        cursor.execute(
            """
            INSERT INTO players_vacationday (player_id, starts_at, is_planned, noted_at)
            SELECT player.id, timestamptz '2026-01-01 00:00Z' + make_interval(days => day), false, %s
            FROM players_player player, generate_series(1, %s) day WHERE player.id > %s
            """,
            [NOW, DAYS_A_YEAR, yellow.pk + saved - 1],
        )
        cursor.execute("VACUUM ANALYZE")


def use(name: str) -> None:
    """Let Django work in another database of the server."""
    from django.db import connection

    connection.close()
    connection.settings_dict["NAME"] = name


def record() -> list[str]:
    """Sweep in the database of the settings; return all the SQL that wrote."""
    from django.db import connection, reset_queries
    from django.test.utils import CaptureQueriesContext

    from matches.services import expire_due

    written: list[str] = []
    ended = BATCH
    # Of a batch some are saved by vacation, not ended.
    while ended:
        reset_queries()
        with CaptureQueriesContext(connection) as captured:
            ended = expire_due(now=NOW, limit=BATCH)
        written += [query["sql"] for query in captured if query["sql"].startswith(WRITING)]
    return written


def sweep() -> float:
    """Sweep in the database of the settings; return the seconds."""
    from matches.services import expire_due

    begun = time.perf_counter()
    expire_due(now=NOW)
    return time.perf_counter() - begun


def replay(connection: psycopg.Connection[Any], statements: list[str]) -> float:
    """Send the statements; return the seconds."""
    begun = time.perf_counter()
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    return time.perf_counter() - begun


def look(now: datetime) -> float:
    """Return the median milliseconds of a sweep that finds nothing due."""
    from matches.services import expire_due

    def once() -> float:
        begun = time.perf_counter()
        if expire_due(now=now):
            raise SystemExit("Something was due.")
        return time.perf_counter() - begun

    return 1000 * median(once() for _ in range(LOOKS))


def results(server: Server, name: str) -> list[tuple[Any, ...]]:
    """Return what became of the matches, to compare two databases."""
    query = """
        SELECT status, ending, winner, points_yellow, points_red, score_yellow, score_red, count(*),
               min(finished_at), max(finished_at), min(deadline), sum(bank_yellow), sum(bank_red), sum(extensions)
        FROM matches_match GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
    """
    with closing(server.connect(name)) as connection:
        return connection.execute(query).fetchall()


def configure(url: str, data: Path) -> None:
    """Set up Django with a database of this server."""
    import django

    os.environ.update(
        DATABASE_URL=url, DATA_DIR=str(data), LOG_LEVEL="WARNING", DJANGO_SETTINGS_MODULE="config.settings"
    )
    django.setup()


def prepared(server: Server, name: str, fill: Callable[[], None]) -> None:
    """Make a database with the tables of the project, and fill it."""
    from django.core.management import call_command
    from django.db import connection

    server.copy(name, "template1")
    use(name)
    call_command("migrate", verbosity=0)
    fill()
    connection.close()


def main() -> None:
    """Prepare, let both take turns, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=1_000_000, help="running matches (default: 1,000,000)")
    parser.add_argument("--due", type=int, default=100_000, help="of which overdue (default: 100,000)")
    parser.add_argument("--saved", type=int, default=20, help="players whom vacation saves (default: 20)")
    parser.add_argument("--rounds", type=int, default=2, help="turns that both take (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random positions (default: 1)")
    options = parser.parse_args()
    with ExitStack() as stack:
        url, postgresql = start_postgresql(durable=True)
        stack.callback(postgresql.stop if postgresql else lambda: None)
        server = Server(url)
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        configure(server.url("prepared"), data)
        prepared(server, "few", lambda: populate(1000, 0, 0, Random(options.seed)))
        prepared(
            server, "prepared", lambda: populate(options.matches, options.due, options.saved, Random(options.seed))
        )
        server.copy("recorded", "prepared")
        use("recorded")
        statements = record()
        expected = results(server, "recorded")
        transactions = statements.count("COMMIT")
        print(f"{options.due} of {options.matches} matches are overdue: {transactions} transactions,")
        print(f"{len(statements) - 2 * transactions} statements that write, {len(statements)} in all")
        print(f"{'round':<7}{'sweep/s':>9}{'SQL/s':>9}{'ratio':>7}")
        rates = []
        for number in range(1, options.rounds + 1):
            use("none")
            server.copy("swept", "prepared")
            use("swept")
            ours = options.due / sweep()
            use("none")
            server.copy("replayed", "prepared")
            with closing(server.connect("replayed")) as connection:
                bare = options.due / replay(connection, statements)
            if results(server, "swept") != expected or results(server, "replayed") != expected:
                raise SystemExit("Sweep and SQL did not lead to the same rows.")
            rates.append((ours, bare))
            print(f"{number:<7}{ours:>9.0f}{bare:>9.0f}{ours / bare:>7.2f}", flush=True)
        ours, bare = (median(column) for column in zip(*rates, strict=True))
        print(f"{'median':<7}{ours:>9.0f}{bare:>9.0f}{ours / bare:>7.2f}   wanted: {WANTED}")
        print("finding that nothing is due, in milliseconds:")
        for name, title in (("few", "1000 running"), ("prepared", f"{options.matches} running")):
            use(name)
            print(f"{title:<20}{look(YESTERDAY):>7.3f}")
        use("none")


if __name__ == "__main__":
    main()
