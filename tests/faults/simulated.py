"""``python -m tests.faults.simulated``: competitions of all recipes and many sizes, each played by two real workers.

One of the two is killed in the middle. PostgreSQL and Valkey are started for it, and removed afterwards.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import django

from tests.plugins.real_servers import fresh_directory, run_postgresql, run_valkey

ROOT = Path(__file__).parent.parent.parent
SIZES = (2, 5, 16, 37)
LEAST = {"double-elimination": 3, "mini-cup": 3, "team-league": 12, "team-cup": 12}
"""The fewest players, where 2 are too few: two teams of four boards have two substitutes each."""

MOST = {"round-robin": 40}
SECONDS = 900
"""Seconds in which something in a competition has to change; how long it takes depends on the machine."""

PLAYERS_FOR_ONE_ABSENT = 15
ACTS = 100

PLAYED = re.compile(r"(\d+) matches, .* took (\d+) seconds", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a competition: ``matches`` and ``seconds`` of processor time, and what was ``wrong``."""

    recipe: str
    players: int
    matches: int
    seconds: int
    wrong: str

    def __str__(self) -> str:
        outcome = f"{self.matches} matches, {self.seconds} s of processor time, 0 faults"
        return f"{self.recipe}, {self.players} entrants: {self.wrong or outcome}"


class Simulations:
    """Runs ``manage.py simulate`` with workers on servers of its own."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment

    @classmethod
    @contextmanager
    def on_own_servers(cls) -> Iterator[Simulations]:
        with ExitStack() as stack:
            database, postgresql = run_postgresql()
            stack.callback(postgresql.stop)
            broker, valkey = run_valkey()
            stack.callback(valkey.stop)
            data = fresh_directory("data")
            stack.callback(lambda: subprocess.run(["rm", "-rf", data], check=True))
            yield cls(
                {
                    **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
                    "DATABASE_URL": database,
                    "REDIS_URL": broker,
                    "SECRET_KEY": "a key for tests that guards nothing at all",
                    "DATA_DIR": str(data),
                }
            )

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Let Python do something on these servers, and return what it said."""
        return subprocess.run(
            [sys.executable, *command], check=False, cwd=ROOT, env=self._environment, capture_output=True, text=True
        )

    def play(self, recipe: str, players: int, *, seasons: int = 1) -> Played:
        options = ["--game", "paper-soccer", "--moves", "2", "--matches", str(max(6, 2 * players))]
        if seasons > 1:
            absent = ["--absent", str(players // PLAYERS_FOR_ONE_ABSENT)]
            options += ["--seasons", str(seasons), *absent, "--acts", str(ACTS)]
        workers = ["--workers", "2", "--kill", "--seconds", str(SECONDS)]
        done = self.run("manage.py", "simulate", "--recipe", recipe, "--players", str(players), *options, *workers)
        found = PLAYED.search(done.stdout)
        if done.returncode or found is None:
            return Played(recipe, players, 0, 0, f"{done.stdout}{done.stderr}")
        return Played(recipe, players, int(found[1]), int(found[2]), "")


def main() -> int:
    """Play what the arguments say, write what became of each, and return 1 if anything was wrong."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from tournaments.making.recipes import RECIPES

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recipes", nargs="+", choices=list(RECIPES), default=list(RECIPES))
    parser.add_argument("--players", nargs="+", type=int, default=list(SIZES))
    parser.add_argument(
        "--seasons", type=int, default=1, help="of more than one, some players are absent, and organisers act"
    )
    chosen = parser.parse_args()
    faults = 0
    with Simulations.on_own_servers() as simulations:
        for recipe in chosen.recipes:
            for players in chosen.players:
                if players <= MOST.get(recipe, players):
                    played = simulations.play(recipe, max(players, LEAST.get(recipe, players)), seasons=chosen.seasons)
                    print(played, flush=True)
                    faults += bool(played.wrong)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
