"""Measure how long a large site of long ago is down while it is migrated, on real PostgreSQL.

``.venv/bin/python benchmarks/large_site.py`` makes a site as it was before competitions had stages: 100,000 players,
a points ladder of 50,000 with 200,000 results, their matches and moves, and 400,000 changes of places. Then it is
brought to this code, and wall time and processor time are printed for each migration that takes long, and for all.
``--players`` makes everything smaller in proportion.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import django
from django.db import connection, connections

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.database.old_site import MATCH, NOON, migrate, use_migrations
from tests.plugins.real_servers import start_postgresql

ROOT = Path(__file__).resolve().parent.parent
APPS = ("players", "matches", "tournaments")
BEFORE = (
    ("tournaments", "0013_note_results_in_the_history"),
    ("matches", "0011_share_the_engines_fairly"),
    ("players", "0012_keep_keys_of_token_requests"),
)
FIRST = 1000
"""The id after which the players come whom the benchmark makes."""

LONG = 0.5
"""Seconds from which on a migration is named."""


def main() -> None:
    """Start a database, make the site of long ago in it, migrate it, and stop the database."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=100_000, help="players of the site (default: 100,000)")
    options = parser.parse_args()
    with ExitStack() as stack:
        url, server = start_postgresql()
        if server is not None:
            stack.callback(server.stop)
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        os.environ |= {"DATABASE_URL": url, "DATA_DIR": str(directory), "DJANGO_SETTINGS_MODULE": "config.settings"}
        use_migrations(str(copy_old_migrations(directory / "before")))
        django.setup()
        stack.callback(connections.close_all)
        fill(migrate(*BEFORE), options.players)
        measure()


def copy_old_migrations(to: Path) -> Path:
    """Copy each app's migrations without the squashed one, as a package."""
    for app in APPS:
        package = to / f"{app}_before"
        package.mkdir(parents=True)
        for file in (ROOT / app / "migrations").glob("*.py"):
            if "squashed" not in file.name:
                shutil.copy(file, package)
    return to


def fill(apps: Any, players: int) -> None:
    """Store the rows of the site, by few statements."""
    model = apps.get_model
    entrants, results = players // 2, 2 * players
    rows = "generate_series(1, {}) AS number"
    insert(
        model("players", "Player"),
        rows.format(players),
        id=f"{FIRST} + number",
        username="'player-' || number",
        date_joined="now()",
    )
    ladder = model("tournaments", "Ladder").objects.create(
        slug="large", game="streetsoccer-board", status="running", created_at=NOON, started_at=NOON
    )
    insert(
        model("tournaments", "Entry"),
        rows.format(entrants),
        id="number",
        event_id=str(ladder.pk),
        player_id=f"{FIRST} + number",
        status="'active'",
        draw="number",
        entered_at="now()",
    )
    insert(
        model("tournaments", "Standing"),
        rows.format(entrants),
        entry_id="number",
        event_id=str(ladder.pk),
        place="number",
        played="8",
    )
    yellow, red = f"1 + number % {entrants}", f"1 + (number + 1 + number / {entrants}) % {entrants}"
    ended = {"finished_at": "now() - random() * interval '80 days'", "ending": "'normal-time'"}
    match = {name: value for name, value in MATCH.items() if name not in {"seed", "side", "deadline"}}
    insert(
        model("matches", "Match"),
        rows.format(results),
        id="number",
        game="'streetsoccer-board'",
        status="'finished'",
        side="''",
        seed="'\\x00'::bytea",
        competition=str(ladder.pk),
        settled_at="now()",
        score_yellow="2",
        score_red="1",
        points_yellow="3",
        points_red="2",
        **{name: f"'{value}'" for name, value in match.items()},
        yellow_id=f"{FIRST} + {yellow}",
        red_id=f"{FIRST} + {red}",
        **ended,
    )
    insert(
        model("matches", "Move"),
        f"generate_series(1, {results}) AS match, generate_series(1, 10) AS number",
        match_id="match",
        ply="number",
        actor="'yellow'",
        text="'e4'",
        played_at="now()",
        thinking="1000",
    )
    insert(
        model("tournaments", "Fixture"),
        rows.format(results),
        id="number",
        event_id=str(ladder.pk),
        match_id="number",
        created_at="now()",
        counted_at="now()",
        points_yellow="3",
        points_red="2",
        goals_yellow="2",
        goals_red="1",
        yellow_id=yellow,
        red_id=red,
        **ended,
    )
    insert(
        model("tournaments", "PlaceChange"),
        rows.format(2 * results),
        entry_id=f"1 + number % {entrants}",
        place=f"1 + number % {entrants}",
        changed_at="now() - random() * interval '80 days'",
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def insert(model: Any, source: str, **columns: str) -> None:
    """Store a row of a model for each row of the source; what is not said has the model's default."""
    values: list[Any] = []
    expressions = dict(columns)
    table = model._meta  # noqa: SLF001 - what Django documents
    for field in table.concrete_fields:
        if field.column not in columns and not field.primary_key and not field.has_db_default():
            expressions[field.column] = "%s"
            values.append(field.get_db_prep_save(field.get_default(), connection))
    names, chosen = ", ".join(expressions), ", ".join(expressions.values()).replace(" % ", " %% ")
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table.db_table} ({names}) SELECT {chosen} FROM {source}", values)  # noqa: S608 - these are our own words


def measure() -> None:
    """Migrate to the newest, and print what it took."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid(), pg_size_pretty(pg_database_size(current_database()))")
        backend, size = cursor.fetchone()
    print(f"a site of {size}")
    last = begun = now(backend)

    def note(action: str, migration: Any = None, fake: bool = False) -> None:
        nonlocal last
        if action in {"apply_success", "render_success"}:
            current = now(backend)
            report(str(migration or "reading"), last, current, least=LONG)
            last = current

    migrate(progress=note)
    report("all", begun, now(backend))


def now(backend: int) -> tuple[float, float]:
    """Return the wall time, and the processor time that this process and the database's have used."""
    fields = Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return perf_counter(), process_time() + ticks / os.sysconf("SC_CLK_TCK")


def report(name: str, begun: tuple[float, float], ended: tuple[float, float], least: float = 0.0) -> None:
    """Print the seconds between two moments."""
    wall, processor = (end - start for start, end in zip(begun, ended, strict=True))
    if wall >= least:
        print(f"{name:<75} {wall:>7.1f} s {processor:>7.1f} s of processor time")


if __name__ == "__main__":
    main()
