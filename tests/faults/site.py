"""The site as real processes that can be killed: two web servers, two workers, beat, PostgreSQL and Valkey."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from socket import create_connection, socket
from typing import Any, Self

import psycopg
import redis

from tests.plugins.real_servers import KeptServer, fresh_directory, run_postgresql, run_valkey

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 180
"""Seconds that a command has."""

WEBS = ("web 1", "web 2")
WORKERS = ("worker 1", "worker 2")
BEAT = "beat"
UNSETTLED = "SELECT count(*) FROM matches_match WHERE status = 'finished' AND settled_at IS NULL"
WAITING = {
    "matches not settled": UNSETTLED,
    "ends not told": "SELECT count(*) FROM matches_match WHERE status = 'finished' AND NOT is_told",
    "tables wanted": "SELECT count(*) FROM tournaments_event WHERE standings_wanted_at IS NOT NULL",
    "matches to be rated": "SELECT count(*) FROM tournaments_ratingdue",
    "mails due": "SELECT count(*) FROM players_delivery WHERE state = 'pending' AND next_attempt_at <= now()",
}
"""What the background work is to do, and how much there is of it."""


class Site:
    """The running site, as long as the context lasts. Whatever happens to the tests, its processes end with them."""

    def __init__(self, logs: Path, email_url: str) -> None:
        self._logs = logs
        self._email_url = email_url
        self._stack = ExitStack()
        self._begun = time.monotonic()
        self._outages: list[tuple[float, float]] = []
        self.ports = [_free_port() for _ in WEBS]
        self._processes: dict[str, KeptServer] = {}
        self.diary: list[str] = []

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            url, self._postgresql = run_postgresql(durable=True)
            stack.callback(self._postgresql.stop)
            self._redis_url, valkey = run_valkey()
            stack.callback(valkey.stop)
            self._database = f"host={Path(url.partition('@/')[2]).parent} user=kickabout dbname=postgres"
            self._environment = {
                **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
                "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
                "PYTHONPATH": str(ROOT),
                "DATABASE_URL": url,
                "REDIS_URL": self._redis_url,
                "EMAIL_URL": self._email_url,
                "SECRET_KEY": "a key for tests that guards nothing at all",
                "DATA_DIR": str(self._logs / "data"),
                "THROTTLE_READ": "1000000/min",
                "THROTTLE_WRITE": "1000000/min",
                "THROTTLE_PAGE_READ": "1000000/min",
                "THROTTLE_PAGE_WRITE": "1000000/min",
            }
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def start(self) -> None:
        """Start all processes and wait until both web servers answer."""
        for name, port in zip(WEBS, self.ports, strict=True):
            options = f"--interface wsgi --host 127.0.0.1 --port {port} --workers 1 --blocking-threads 4".split()
            self._run(name, [_program("granian"), *options, "config.wsgi:application"])
        for name in WORKERS:
            options = ["--concurrency", "1", "--without-gossip", "--without-mingle", "--loglevel", "WARNING"]
            node = f"{name.replace(' ', '-')}@faults"
            self._run(name, [_program("celery"), "-A", "config", "worker", "--hostname", node, *options])
        self._run(BEAT, [_program("celery"), "-A", "config", "beat", "--scheduler", "celery.beat:Scheduler"])
        for name in WEBS:
            self._processes[name].wait()
        self.note("the site is up")

    def command(self, module: str, *arguments: str) -> str:
        """Run a module with the site's settings and return what it prints; raises with all it said if it fails."""
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            check=False,
            cwd=ROOT,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"{module} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def kill(self, *names: str) -> None:
        """Kill processes and all that they have started, at once."""
        for name in names:
            self._processes[name].end(signal.SIGKILL)
            self.note(f"{name} is killed")

    def revive(self, *names: str) -> None:
        """Start processes again that were killed."""
        for name in names:
            self._processes[name].start_again()
            self.note(f"{name} starts again")

    def flush(self) -> None:
        """Let the broker and the cache forget everything."""
        with redis.Redis.from_url(self._redis_url) as broker:
            broker.flushall()
        self.note("the broker and the cache are flushed")

    def restart_postgresql(self, pause: float) -> None:
        """Stop PostgreSQL so that every transaction is torn off; start it again after a pause."""
        self.note("PostgreSQL is stopped")
        begun = time.monotonic()
        try:
            self._postgresql.end(signal.SIGQUIT)
            time.sleep(pause)
            self._postgresql.start_again()
            self._postgresql.wait()
        finally:
            self._outages.append((begun, time.monotonic()))
        self.note("PostgreSQL is back")

    def was_out(self, sent: float, answered: float) -> bool:
        """Whether PostgreSQL was away at any moment between two of the monotonic clock."""
        return any(sent <= ended and begun <= answered for begun, ended in self._outages)

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows of a query, asked over a connection of its own."""
        with psycopg.connect(self._database, autocommit=True) as connection:
            return connection.execute(statement).fetchall()

    def count(self, statement: str) -> int:
        """The number that a query gives."""
        return self.query(statement)[0][0]

    def still_waiting(self) -> dict[str, int]:
        """How much the background work has still to do, by what it is."""
        numbers = {what: self.count(statement) for what, statement in WAITING.items()}
        return {what: number for what, number in numbers.items() if number}

    def note(self, what: str) -> None:
        """Write into the diary, which tells what happened when."""
        self.diary.append(f"{time.monotonic() - self._begun:6.1f} s  {what}")

    def said(self, names: Sequence[str] = (*WEBS, *WORKERS, BEAT)) -> str:
        """The ends of the processes' logs."""
        return "\n".join(f"== {name} ==\n{self._processes[name].said()}" for name in names if name in self._processes)

    def _run(self, name: str, command: list[str]) -> None:
        def probe() -> None:
            if name in WEBS:
                create_connection(("127.0.0.1", self.ports[WEBS.index(name)]), timeout=1).close()

        server = KeptServer(
            fresh_directory("process"),
            command,
            probe,
            log=self._logs / f"{name.replace(' ', '-')}.log",
            environment=self._environment,
        )
        self._stack.callback(server.stop)
        self._processes[name] = server


def _program(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def _free_port() -> int:
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
