"""Measure what it costs to import a large list of entrants and start its cup, and how long another writer waits.

``.venv/bin/python benchmarks/large_field.py`` imports 1,024 players into a cup and starts it, on SQLite (or with
``--database postgresql`` on a real PostgreSQL), and prints for each step the queries, the processor time, and the
longest that another connection waited for a write meanwhile. ``--players`` makes it smaller.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command
from django.db import close_old_connections, connection, connections
from django.test.utils import CaptureQueriesContext

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.plugins.real_servers import start_postgresql


def main() -> None:
    """Make a database, measure in it, and remove it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=1024, help="entrants of the cup (default: 1024)")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    options = parser.parse_args()
    with ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ |= {"DATA_DIR": directory, "DJANGO_SETTINGS_MODULE": "config.settings"}
        if options.database == "postgresql":
            url, server = start_postgresql()
            if server is not None:
                stack.callback(server.stop)
            os.environ["DATABASE_URL"] = url
        django.setup()
        stack.callback(connections.close_all)
        call_command("migrate", verbosity=0)
        measure(options.players)


def measure(number: int) -> None:
    """Import ``number`` players and start their cup."""
    from django.utils import timezone

    from players.models import Player
    from tournaments.decisions.services.status import open_competition
    from tournaments.entries.services.entry_imports import import_entry_list
    from tournaments.making.services.competitions import create_competition
    from tournaments.models import Cup, Stage
    from tournaments.running.services.start import start_competition

    now = timezone.now()
    actor = Player.objects.create(username="organiser", is_superuser=True, is_staff=True)
    players = [Player(username=f"player-{each}", date_joined=now) for each in range(number)]
    Player.objects.bulk_create(players)
    cup = Cup(name="Large Cup", game="streetsoccer-board")
    create_competition(competition=cup, stage=Stage(format="knock-out"), creator=actor, now=now)
    open_competition(competition_id=cup.pk, actor=actor, now=now)
    names = "\n".join(player.username for player in players)
    report("import", lambda: import_entry_list(competition_id=cup.pk, text=names, actor=actor, now=now))
    report("start", lambda: start_competition(competition_id=cup.pk, actor=actor, now=now))


def report(step: str, run: Callable[[], Any]) -> None:
    """Run a step beside another writer, and print what it took."""
    from players.models import Player

    waits: list[float] = []
    done = threading.Event()

    def write() -> None:
        while not done.is_set():
            began = time.perf_counter()
            Player.objects.filter(username="organiser").update(last_login=None)
            waits.append(time.perf_counter() - began)
            done.wait(0.05)
        close_old_connections()
        connections.close_all()

    writer = threading.Thread(target=write)
    writer.start()
    with CaptureQueriesContext(connection) as queries:
        began, processor = time.perf_counter(), time.thread_time()
        run()
        elapsed, processor = time.perf_counter() - began, time.thread_time() - processor
    done.set()
    writer.join()
    print(
        f"{step}: {len(queries)} queries, {processor:.2f} s of processor time, {elapsed:.2f} s in all, "
        f"another writer waited {max(waits):.2f} s at most"
    )


if __name__ == "__main__":
    main()
