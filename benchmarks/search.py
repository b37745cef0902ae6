"""Measure how long a page takes while three computers search for moves, and while none does.

    python benchmarks/search.py --rounds 6 --pages 25

Reads a match page again and again in this process while three threads of it run jobs of strong computers without a
pause: in processes beside it, as the single-process server does, and, to compare, in the threads themselves. The cases
take short turns in the same run, so that a busy machine slows them alike; the figures are ratios to a page while no job
runs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median, quantiles
from threading import Event, Thread
from time import perf_counter, sleep
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

if TYPE_CHECKING:
    from computers.jobs import BestMove

COMPUTERS = 3
MOVES = 40
"""The number of moves and rolls of the match whose page is read."""
BETWEEN = 0.02
"""Seconds between two readings."""
POSITION = "play 17.1 yellow 4 d1,c3,f3,d7,b7 e10,f9,c5,f7,h6 e5 2-1 yellow"


def prepare() -> str:
    """Make a database and play a match of two people; return the path of its page."""
    from django.core.management import call_command
    from django.utils import timezone

    from matches.clock import CORRESPONDENCE
    from matches.services import play_move, start_match
    from players.models import Player

    call_command("migrate", verbosity=0)
    random, now = Random(1), timezone.now()
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    match = start_match(game="streetsoccer-board", yellow=anna, red=piotr, time_control=CORRESPONDENCE, now=now)
    while match.ply < MOVES and (player := match.player_to_act):
        text = random.choice(match.state.legal_moves())
        match = play_move(match_id=match.pk, player=player, ply=match.ply, text=text, now=now).match
    return match.get_absolute_url()


@contextmanager
def running_jobs(run: Callable[[BestMove], str] | None, job: BestMove) -> Iterator[None]:
    """Let three threads run one job after the other while the context lasts; ``None`` runs none."""
    over = Event()

    def work() -> None:
        while run and not over.is_set():
            run(job)

    threads = [Thread(target=work) for _ in range(COMPUTERS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def read_pages(path: str, number: int) -> list[float]:
    """Return the seconds that each of so many readings took."""
    from django.test import Client

    client = Client(SERVER_NAME="localhost")
    taken = []
    for _ in range(number):
        begun = perf_counter()
        response = client.get(path)
        taken.append(perf_counter() - begun)
        if response.status_code != 200:
            raise SystemExit(f"{path} answers {response.status_code}")
        sleep(BETWEEN)
    return taken


def measure(*, rounds: int, pages: int) -> None:
    """Measure every case in turn, and print the figures."""
    from computers.jobs import BestMove, run_in_thread
    from computers.process_pool import ProcessPool

    path = prepare()
    job = BestMove("streetsoccer-board", POSITION, "strong")
    pool = ProcessPool(COMPUTERS)
    cases = {"no jobs": None, "three jobs in processes": pool.run, "three jobs in threads": run_in_thread}
    taken: dict[str, list[float]] = {name: [] for name in cases}
    try:
        with running_jobs(pool.run, job):
            read_pages(path, pages)
        for _ in range(rounds):
            for name, run in cases.items():
                with running_jobs(run, job):
                    taken[name] += read_pages(path, pages)
    finally:
        pool.close()
    usual = taken["no jobs"]
    print(f"A match page, {rounds * pages} readings each:")
    for name, seconds in taken.items():
        middle, late = median(seconds), quantiles(seconds, n=20)[-1]
        print(
            f"  {name:<26} median {middle * 1000:6.1f} ms, {middle / median(usual):5.2f} times; "
            f"95 % within {late * 1000:6.1f} ms, {late / quantiles(usual, n=20)[-1]:5.2f} times"
        )


def main() -> None:
    """Measure on a database that is thrown away."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6, help="how often each case has its turn (default: 6)")
    parser.add_argument("--pages", type=int, default=25, help="how many pages are read in a turn (default: 25)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ |= {"DATA_DIR": directory, "DJANGO_SETTINGS_MODULE": "config.settings"}
        import django

        django.setup()
        measure(rounds=options.rounds, pages=options.pages)


if __name__ == "__main__":
    main()
