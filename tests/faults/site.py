"""The site as real processes that can be killed: two web servers, two workers, beat, PostgreSQL and Valkey.

One of the web servers has two processes. The tables, and the files of metrics, are on small disks of their own, which
can be filled. The second web server and the second worker are a host whose clock is an hour ahead.
"""

import json
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import timedelta
from functools import partial
from http.client import HTTPConnection, HTTPException
from itertools import product
from pathlib import Path
from socket import create_connection, socket
from typing import Any, Self

import psycopg
import redis

from database.timeouts import UNANSWERED_DELAY
from tests.faults.crowds import slow_clients
from tests.faults.disks import NoDiskError, fill, mount, unmount
from tests.faults.preparation import copy_tables
from tests.faults.scripted import TIMEOUT, wait_until
from tests.plugins.real_servers import (
    UNPRIVILEGED,
    KeptServer,
    children,
    fresh_directory,
    run_postgresql,
    run_valkey,
)

ROOT = Path(__file__).parent.parent.parent
COMMAND_TIMEOUT = 180
"""Seconds that a command has."""

WEBS = ("web 1", "web 2")
WORKERS = ("worker 1", "worker 2")
BEAT = "beat"
DATABASE = "kickabout"
WEB_WORKERS = 2
"""The number of processes of the first web server."""

SITE_TIMEOUT = 30.0
"""Seconds in which a process is there, and a fault is seen."""

FULL_FOR = 4.0
"""Seconds for which the disk stays full at most, besides those until it is seen: matches have few more."""

HANGS_FOR = 5.0
"""Seconds for which PostgreSQL hangs: longer than the web servers let others wait."""

LIVE_TIMEOUT = 2.0
"""Seconds in which a web server answers what needs no database."""

WITHOUT_DATABASE = ("/health/live", "/static/js/site.js")
FROM_DATABASE = ("/cups/", "/api/v1/games/")

PAGE_TIMEOUT = 6.0
"""Seconds in which a web server answers from the database: it shares two cores with a season and with other tests."""

CROWDED_FOR = 3.0
"""Seconds for which slow clients crowd both web servers."""

ZERO = timedelta(0)

CRASH_LOOP = 6.0
"""Seconds in which a web server takes a process that has died twice for one that can never start."""

DISK_SIZE = 64
"""Megabytes of PostgreSQL's disk: a season needs less than half of it."""

METRICS_DISK_SIZE = 8
"""Megabytes of the disk of metrics: the processes of a host need less than half of it."""

NOT_COUNTED = "metrics_not_written"
"""What a process logs that has no room for its metrics."""

HOURS_AHEAD = {"web 2": "1", "worker 2": "1"}
"""How far the clock of a process's host is ahead of PostgreSQL's."""

LEFT = "SELECT id, deadline - '{since}' FROM matches_match WHERE status = 'playing' AND deadline > '{since}'"
HELD = "SELECT id, deadline - paused_at FROM matches_match WHERE status = 'playing' AND paused_at IS NOT NULL"
"""How much time the sides to act have left in matches: at a moment, or since they have been stopped."""

UNSETTLED = "SELECT count(*) FROM matches_match WHERE status = 'finished' AND settled_at IS NULL"
WAITING = {
    "matches not settled": UNSETTLED,
    "ends without notification": "SELECT count(*) FROM matches_match WHERE status = 'finished' AND NOT is_notified",
    "stale tables": "SELECT count(*) FROM tournaments_group WHERE standings_stale_since IS NOT NULL",
    "matches to be rated": "SELECT count(*) FROM tournaments_ratingdue",
    "mails due": "SELECT count(*) FROM players_delivery WHERE state = 'pending' AND next_attempt_at <= now()",
}
"""The work that waits for the background, and how much there is of it."""


class Site:
    """The running site, as long as the context lasts. Whatever happens to the tests, its processes end with them.

    Its database begins as a copy of the ``original``, a connection string, which spares it the migrations.
    """

    def __init__(self, logs: Path, email_url: str, original: str | None) -> None:
        self._logs = logs
        self._email_url = email_url
        self._original = original
        self._stack = ExitStack()
        self._begun = time.monotonic()
        self._outages: list[tuple[float, float]] = []
        self._web_worker_killed = -CRASH_LOOP
        self.unanswered: list[str] = []
        self.cheated: list[str] = []
        self.disk: Path | None = None
        self.metrics = logs / "metrics"
        self.no_disk = ""
        self.ports = [_free_port() for _ in WEBS]
        self._processes: dict[str, KeptServer] = {}
        self.diary: list[str] = []

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            url, self._postgresql = run_postgresql(durable=True)
            stack.callback(self._postgresql.stop)
            self._redis_url, self._valkey = run_valkey()
            stack.callback(self._valkey.stop)
            directory = Path(url.partition("@/")[2]).parent
            self._database = f"host={directory} user=kickabout dbname={DATABASE}"
            self._create_database(directory)
            self.metrics.mkdir()
            if self.disk is not None:
                mount(self.metrics, METRICS_DISK_SIZE)
                stack.callback(unmount, self.metrics)
            if self._original is not None:
                copy_tables(self._original, self._database)
            self._environment = {
                **{name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ},
                "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
                "PYTHONPATH": str(ROOT),
                "DATABASE_URL": f"{url.rpartition('/')[0]}/{DATABASE}",
                "REDIS_URL": self._redis_url,
                "EMAIL_URL": self._email_url,
                "SECRET_KEY": "a key for tests that guards nothing at all",
                "DATA_DIR": str(self._logs / "data"),
                "METRICS_DIR": str(self.metrics),
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
        for name, port, workers in zip(WEBS, self.ports, (WEB_WORKERS, 1), strict=True):
            options = ["--port", str(port), "--workers", str(workers)]
            self._run(name, [sys.executable, str(ROOT / "manage.py"), "serve_web", *options])
        for name in WORKERS:
            options = ["--concurrency", "1", "--without-gossip", "--without-mingle", "--loglevel", "WARNING"]
            node = f"{name.replace(' ', '-')}@faults"
            self._run(name, [_program("celery"), "-A", "config", "worker", "--hostname", node, *options])
        self._run(BEAT, [_program("celery"), "-A", "config", "beat"])
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
            timeout=COMMAND_TIMEOUT,
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

    def kill_web_worker(self) -> None:
        """Kill one of the processes of the first web server, and wait until it is replaced."""
        time.sleep(max(0.0, self._web_worker_killed + CRASH_LOOP - time.monotonic()))
        server = self._processes[WEBS[0]].pid
        assert wait_until(lambda: len(children(server)) == WEB_WORKERS, seconds=SITE_TIMEOUT), self.said(WEBS)
        workers = children(server)
        os.kill(workers[0], signal.SIGKILL)
        self._web_worker_killed = time.monotonic()
        self.note("a process of web 1 is killed")
        assert wait_until(lambda: len({*children(server)} - {workers[0]}) == WEB_WORKERS, seconds=SITE_TIMEOUT), (
            self.said(WEBS)
        )
        self.note("it is replaced")

    def restart_broker(self, pause: float) -> None:
        """Kill Valkey with all that it holds; start it again after a pause."""
        self.note("the broker is killed")
        with self._outage():
            self._valkey.end(signal.SIGKILL)
            time.sleep(pause)
            self._valkey.start_again()
            self._valkey.wait()
        self.note("the broker is back")

    def fill_disk(self, is_enough: Callable[[], bool]) -> None:
        """Leave PostgreSQL no room until it is enough, but for a while at most."""
        self.note("the disk is full")
        with self._outage():
            assert self.disk is not None, self.no_disk
            filler = self.disk / "filler"
            try:
                fill(filler)
                assert wait_until(lambda: self.ready_checks().get("disk") == "failed", seconds=SITE_TIMEOUT), self.said(
                    WEBS
                )
                wait_until(is_enough, seconds=FULL_FOR)
            finally:
                filler.unlink()
        self.note("the disk has room again")

    def ready_checks(self) -> dict[str, str]:
        """Return what ``/health/ready`` of the second web server says, by check; nothing while it does not answer."""
        connection = HTTPConnection("127.0.0.1", self.ports[1], timeout=TIMEOUT)
        with closing(connection), suppress(OSError, HTTPException):
            connection.request("GET", "/health/ready")
            return json.loads(connection.getresponse().read())["checks"]
        return {}

    def failed_checks(self) -> set[str]:
        """Return which checks of the second web server have failed, whose host has a wrong clock."""
        return {name for name, said in self.ready_checks().items() if said != "ok"}

    def restart_postgresql(self, pause: float) -> None:
        """Stop PostgreSQL so that every transaction is torn off; start it again after a pause."""
        self.note("PostgreSQL is stopped")
        with self._outage():
            self._postgresql.end(signal.SIGQUIT)
            time.sleep(pause)
            self._postgresql.start_again()
            self._postgresql.wait()
        self.note("PostgreSQL is back")

    def hang_postgresql(self) -> None:
        """Stop PostgreSQL for a while without ending it, and note what the web servers do not answer meanwhile."""
        for name in WEBS:
            assert wait_until(partial(self._answers, name, WITHOUT_DATABASE[0]), seconds=SITE_TIMEOUT), self.said(WEBS)
        self.note("PostgreSQL hangs")
        with self._outage():
            server = self._postgresql.pid
            stopped = [server, *children(server)]
            _signal(stopped, signal.SIGSTOP)
            try:
                end = time.monotonic() + HANGS_FOR
                while time.monotonic() < end:
                    self._ask_all("PostgreSQL hung", WITHOUT_DATABASE)
                    time.sleep(0.2)
            finally:
                _signal(stopped, signal.SIGCONT)
            # For so long it may still be left alone by those that had no answer.
            time.sleep(2 * UNANSWERED_DELAY)
        self.note("PostgreSQL goes on")

    def fill_metrics_disk(self) -> None:
        """Leave no room for metrics, and kill a process whose successor has no file yet."""
        self.note("the disk of metrics is full")
        filler = self.metrics / "filler"
        try:
            fill(filler)
            self.kill_web_worker()
            log, end = self._logs / "web-1.log", time.monotonic() + SITE_TIMEOUT
            while NOT_COUNTED not in log.read_text(errors="replace"):
                assert time.monotonic() < end, self.said(WEBS)
                self._ask_all("the disk of metrics was full", (*WITHOUT_DATABASE, *FROM_DATABASE))
        finally:
            filler.unlink()
        self.note("the disk of metrics has room again")

    def crowd(self) -> None:
        """Let slow clients crowd both web servers, and note what these do not answer meanwhile."""
        self.note("slow clients come")
        end = time.monotonic() + CROWDED_FOR
        with ExitStack() as stack:
            crowds = [stack.enter_context(slow_clients(port, timeout=LIVE_TIMEOUT)) for port in self.ports]
            while time.monotonic() < end:
                for send_bytes in crowds:
                    send_bytes()
                self._ask_all("slow clients were there", (*WITHOUT_DATABASE, *FROM_DATABASE))
        self.note("slow clients go")

    def give_time_back(self, seconds: float) -> None:
        """Stop all but the database for so long, give the time back as documented, and start again.

        Notes the matches that have not got all of the time.
        """
        processes = (*WEBS, *WORKERS, BEAT)
        with self._outage():
            self.kill(*processes)
            ((since,),) = self.query("SELECT clock_timestamp()")
            left = dict(self.query(LEFT.format(since=since)))
            time.sleep(seconds)
            self.command("manage", "pause_site", "--reason", "an outage")
            self.command("manage", "give_time_back", "--from", since.isoformat(), "--reason", "an outage")
            self.revive(*processes)
            for name in WEBS:
                self._processes[name].wait()
            held = dict(self.query(HELD))
            self.cheated += [
                f"A player in match {match} had {had} left, and has {held.get(match)} after an outage."
                for match, had in left.items()
                if held.get(match, ZERO) < had
            ]
            self.command("manage", "resume_site")
        self.note(f"{len(left)} matches have got their time back")

    def _ask_all(self, meanwhile: str, paths: Sequence[str]) -> None:
        """Note what the web servers do not answer."""
        self.unanswered += [
            f"{path} of {name} while {meanwhile}"
            for name, path in product(WEBS, paths)
            if not self._answers(name, path)
        ]

    def _answers(self, name: str, path: str) -> bool:
        timeout = LIVE_TIMEOUT if path in WITHOUT_DATABASE else PAGE_TIMEOUT
        connection = HTTPConnection("127.0.0.1", self.ports[WEBS.index(name)], timeout=timeout)
        with closing(connection), suppress(OSError, HTTPException):
            connection.request("GET", path)
            return connection.getresponse().status == 200
        return False

    def was_out(self, sent: float, answered: float) -> bool:
        """Return whether PostgreSQL or the broker was away, or the disk full, between two monotonic moments."""
        return any(sent <= ended and begun <= answered for begun, ended in self._outages)

    @contextmanager
    def _outage(self) -> Iterator[None]:
        begun = time.monotonic()
        try:
            yield
        finally:
            self._outages.append((begun, time.monotonic()))

    def ended(self) -> list[str]:
        """Return the processes that have ended although nobody has killed them."""
        return [name for name, server in self._processes.items() if server.has_ended]

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query, asked over a connection of its own."""
        with psycopg.connect(self._database, autocommit=True) as connection:
            return connection.execute(statement).fetchall()

    def count(self, statement: str) -> int:
        """Return the number that a query gives."""
        return self.query(statement)[0][0]

    def still_waiting(self) -> dict[str, int]:
        """Return how much the background work has still to do, by what it is."""
        numbers = {what: self.count(statement) for what, statement in WAITING.items()}
        return {what: number for what, number in numbers.items() if number}

    def note(self, what: str) -> None:
        """Write into the diary, which has what happened when."""
        self.diary.append(f"{time.monotonic() - self._begun:6.1f} s  {what}")

    def said(self, names: Sequence[str] = (*WEBS, *WORKERS, BEAT)) -> str:
        """Return the ends of the processes' logs."""
        return "\n".join(f"== {name} ==\n{self._processes[name].said()}" for name in names if name in self._processes)

    def _create_database(self, directory: Path) -> None:
        """Create the database, on a small disk if one can be mounted here; else keep why not."""
        disk = directory / "disk"
        disk.mkdir()
        try:
            mount(disk, DISK_SIZE)
        except NoDiskError as error:
            self.no_disk = str(error)
            statements = [f"CREATE DATABASE {DATABASE}"]
        else:
            self.disk = disk
            space = disk / "space"
            space.mkdir(mode=0o700)
            account = pwd.getpwnam(UNPRIVILEGED)
            os.chown(space, account.pw_uid, account.pw_gid)
            statements = [
                f"CREATE TABLESPACE small LOCATION '{space}'",
                f"CREATE DATABASE {DATABASE} TABLESPACE small",
            ]
        with psycopg.connect(f"host={directory} user=kickabout dbname=postgres", autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def _run(self, name: str, command: list[str]) -> None:
        def probe() -> None:
            if name in WEBS:
                create_connection(("127.0.0.1", self.ports[WEBS.index(name)]), timeout=1).close()

        server = KeptServer(
            fresh_directory("process"),
            command,
            probe,
            log=self._logs / f"{name.replace(' ', '-')}.log",
            environment=self._environment | {"HOURS_AHEAD": HOURS_AHEAD.get(name, "0")},
        )
        self._stack.callback(server.stop)
        self._processes[name] = server


def _signal(processes: Sequence[int], sign: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, sign)


def _program(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def _free_port() -> int:
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
