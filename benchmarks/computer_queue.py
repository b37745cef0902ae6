"""Measure how long a player waits for a computer while somebody else floods the queue of computers.

    python benchmarks/computer_queue.py --matches 150

One guest has started as many matches against the strong computer, and it is to act in all of them. Then a player
starts a match against the beginner, which is to act too. One worker thread takes from the queue, as in the
single-process server. It prints how many moves the computers played in the guest's matches before the player's first
answer and before the whole turn was played, and how many seconds that took. Then it ends.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

if TYPE_CHECKING:
    from matches.models import Match

POSITION = "play 17.1 yellow 4 d1,c3,f3,d7,b7 e10,f9,c5,f7,h6 e5 2-1 yellow"
"""A position in the middle of a match, in which a strong computer searches for long."""
TIMEOUT = 900.0
"""Seconds after which the run is given up."""


def flood(number: int) -> None:
    """Make a guest, and so many matches in which the strong computer is to act."""
    from django.utils import timezone

    from computers.levels import Level
    from matches.clock import CORRESPONDENCE
    from matches.models import Match
    from matches.services import start_match
    from players.services import create_guest, ensure_computer

    now = timezone.now()
    guest, strong = create_guest(now=now), ensure_computer(level=Level.STRONG, now=now)
    for _ in range(number):
        match = start_match(game="streetsoccer-board", yellow=strong, red=guest, time_control=CORRESPONDENCE, now=now)
        Match.objects.filter(pk=match.pk).update(position=POSITION)


def start_own_match() -> Match:
    """Return a match of another player, in which the beginner is to set up."""
    from django.utils import timezone

    from computers.levels import Level
    from matches.models import Colour
    from matches.services import play_against_computer
    from players.models import Player

    now = timezone.now()
    anna = Player.objects.create(username="anna")
    return play_against_computer(
        player=anna, game="streetsoccer-board", colour=Colour.RED, level=Level.BEGINNER, now=now
    )


def measure(number: int) -> None:
    """Flood the queue, start a match beside it, and print how long its player waits."""
    from django.core.management import call_command
    from django.db import connection

    from computers.process_pool import run_jobs_in_processes
    from config.celery import app
    from config.celery_threads import work_in_background
    from matches.models import Match, Move

    call_command("migrate", verbosity=0)
    flood(number)
    own = start_own_match()
    others = Move.objects.exclude(match=own).exclude(actor="chance")
    begun, first = monotonic(), None
    with run_jobs_in_processes(1), work_in_background(app, threads=1, computers=1):
        while (waited := monotonic() - begun) < TIMEOUT:
            match = Match.objects.get(pk=own.pk)
            if match.ply and first is None:
                first = (others.count(), waited)
            if match.player_to_act is None or not match.player_to_act.is_computer:
                break
            sleep(0.02)
        else:
            raise SystemExit(f"The computer has not played within {TIMEOUT:g} seconds.")
        turn = (others.count(), waited)
    connection.close()
    for name, (moves, seconds) in {"first move": first or turn, "whole turn": turn}.items():
        print(f"{name}: after {moves} moves in the {number} matches of the guest, {seconds:.1f} s")


def main() -> None:
    """Measure on a database that is thrown away."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=150, help="how many matches the guest has (default: 150)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ |= {"DATA_DIR": directory, "DJANGO_SETTINGS_MODULE": "config.settings"}
        import django

        django.setup()
        measure(options.matches)


if __name__ == "__main__":
    main()
