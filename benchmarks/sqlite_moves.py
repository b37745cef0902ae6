"""Measure how many moves a second the single process stores on SQLite, and how many another version of it stores.

    python benchmarks/sqlite_moves.py
    python benchmarks/sqlite_moves.py --other ../kickabout-before

Clients send the moves of many matches with tokens to ``manage.py serve``, one connection a client. ``--other`` names a
checkout of another commit with its own environment in ``.venv``: its moves are made up by its own
``benchmarks/moves.py``, and both versions take turns in the same run, so that a busy machine slows both. Processor time
is that of the server and the processes that it starts.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from socket import socket
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.http_clients import ROOT, Script, ServerEndedError, Submission, await_answer, play_over_http
from benchmarks.processor_time import OWN, processor_seconds

PREPARE = """
import json, sys
import django
django.setup()
from django.core.management import call_command
from random import Random
from benchmarks.moves import prepare
call_command("migrate", verbosity=0)
scripts = prepare(int(sys.argv[1]), Random(int(sys.argv[2])))
json.dump([[[each.path, each.secret, each.body.decode()] for each in script] for script in scripts], sys.stdout)
"""


class Version:
    """A checkout of the project, and a site of its own on which matches have been started."""

    def __init__(self, root: Path, directory: Path, options: argparse.Namespace) -> None:
        """Start the matches, and make up their moves."""
        self._root, self._prepared, self._played = root, directory / "prepared", directory / "played"
        self._python = root / ".venv" / "bin" / "python"
        self._prepared.mkdir(parents=True)
        prepared = subprocess.run(
            [self._python, "-c", PREPARE, str(options.clients * options.matches), str(options.seed)],
            cwd=root,
            env=self._environment(self._prepared),
            stdout=subprocess.PIPE,
            check=True,
        )
        self.scripts: list[Script] = [
            [Submission(path, secret, body.encode()) for path, secret, body in script]
            for script in json.loads(prepared.stdout)
        ]
        self.moves = sum(map(len, self.scripts))
        self.name = self._run("git", "log", "-1", "--format=%h")

    def play(self, clients: int) -> tuple[float, float]:
        """Return how many moves a second the site stores, and the processor time of one of them in milliseconds."""
        shutil.rmtree(self._played, ignore_errors=True)
        shutil.copytree(self._prepared, self._played)
        with closing(socket()) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        with tempfile.TemporaryFile() as log:
            server = subprocess.Popen(
                [self._python, "manage.py", "serve", "--port", str(port)],
                cwd=self._root,
                env=self._environment(self._played),
                stdout=log,
                stderr=log,
            )
            try:
                await_answer(port, server)
                before = _server_seconds()
                seconds = play_over_http(self.scripts, clients, port)
                worked = _server_seconds() - before
            except ServerEndedError as error:
                log.seek(0)
                raise SystemExit(log.read().decode()) from error
            finally:
                server.terminate()
                server.wait()
        return self.moves / seconds, 1000 * worked / self.moves

    def _environment(self, directory: Path) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
        return {
            **kept,
            "DATA_DIR": str(directory),
            "LOG_LEVEL": "WARNING",
            "THROTTLE_WRITE": "1000000/min",
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(self._root),
        }

    def _run(self, *command: str) -> str:
        return subprocess.run(command, cwd=self._root, capture_output=True, text=True, check=True).stdout.strip()


def _server_seconds() -> float:
    """Return how long the processes that this one has started have worked until now."""
    return sum(seconds for name, seconds in processor_seconds().items() if name != OWN)


def read_options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--other", type=Path, help="a checkout of another commit, to compare with")
    parser.add_argument("--clients", type=int, default=8, help="how many play at once (default: 8)")
    parser.add_argument("--matches", type=int, default=2, help="matches for each of them (default: 2)")
    parser.add_argument("--rounds", type=int, default=5, help="turns that each version takes (default: 5)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random matches (default: 1)")
    return parser.parse_args()


def measure(versions: Sequence[Version], options: argparse.Namespace) -> None:
    """Let all versions take turns, and print."""
    found: dict[str, list[tuple[float, float]]] = {version.name: [] for version in versions}
    for number in range(1, options.rounds + 1):
        for version in versions:
            found[version.name].append(version.play(options.clients))
            rate, cost = found[version.name][-1]
            print(f"{number:<4}{version.name:<10}{rate:>7.0f} moves/s {cost:>7.2f} ms a move", flush=True)
            # The system's late writes of one turn do not slow the next one.
            os.sync()
            time.sleep(1)
    rates = [median(rate for rate, _cost in found[version.name]) for version in versions]
    for version, rate in zip(versions, rates, strict=True):
        cost = median(cost for _rate, cost in found[version.name])
        print(f"median {version.name}: {rate:.0f} moves a second, {cost:.2f} ms of processor time each")
    if len(rates) > 1:
        print(f"{rates[0] / rates[1]:.2f} times as many moves a second")


def main() -> None:
    """Prepare all versions, and measure."""
    options = read_options()
    with tempfile.TemporaryDirectory() as directory:
        roots = [ROOT] if options.other is None else [ROOT, options.other.resolve()]
        versions = [Version(root, Path(directory) / str(number), options) for number, root in enumerate(roots)]
        print(f"{versions[0].moves} moves in {len(versions[0].scripts)} matches, {options.clients} clients")
        measure(versions, options)


if __name__ == "__main__":
    main()
