"""Acts of organisers and their taking back, while players play and workers that settle it are killed."""

import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

from django.core.management import call_command
from django.db import connection

from database.clock import read_clock
from matches.services.adjudication import adjudicate_match
from rules_engine.values import Side
from simulations.clock import SimulatedClock
from simulations.workers import (
    POLL_INTERVAL,
    SWEEP_INTERVAL,
    StallTimer,
    WorkerProcesses,
    queue_sweeps,
    waiting_in,
)
from tests.faults.aftermath import refuted
from tests.plugins.real_servers import children
from tests.tournaments.decisions.moments import SIZES
from tests.tournaments.decisions.round_trips import Trip, but_for_times, everything_there, offered_on, without
from tests.tournaments.decisions.undoing import gather
from tests.tournaments.verbs import make_olga, move_in, running, start
from tournaments.models import Competition, LogEntry
from tournaments.running.services.notifications import send_news
from web.errors import DomainError

WORKERS = 2
SECONDS = 300.0
"""Seconds in which something must change while workers have something to do."""

PLAYED = 4
"""The number of results before the first act, and at most while one is done and taken back."""

TASK = 0.3
"""Seconds in which a worker has begun what followed from an act."""


def interrupt_trips(names: Sequence[str], *, trips: int, seed: int) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield for each recipe the acts that were done and taken back, and everything that was wrong, in sentences.

    So many acts are taken back while players play, and as many while they wait: then everything is as before.
    """
    call_command("migrate", interactive=False, verbosity=0)
    with (
        tempfile.TemporaryDirectory(prefix="kickabout-trips-") as folder,
        WorkerProcesses(WORKERS, Path(folder), SimulatedClock.in_folder(Path(folder))) as workers,
    ):
        workers.wait()
        for name in names:
            call_command("flush", interactive=False, verbosity=0)
            storm = _Interrupted(name, workers, Random(f"{name}-{seed}"))
            storm.travel(trips)
            yield name, storm.done, storm.faults
        assert not workers.has_ended, workers.said()


class _Interrupted:
    """A competition in which organisers act, workers die, and everything is compared when nothing waits any more."""

    def __init__(self, name: str, workers: WorkerProcesses, source: Random) -> None:
        self.workers, self.source = workers, source
        self.done: list[str] = []
        self.faults: list[str] = []
        self.competition: Competition = gather(name, SIZES.get(name, 5), read_clock(), organiser=make_olga())
        start(self.competition, read_clock())
        self._end_some(PLAYED)

    def travel(self, trips: int) -> None:
        """Act and take it back so often while players play, each time followed by once while they wait."""
        for _ in range(trips):
            self._wait()
            with self._playing():
                trip = self._go()
                # What is played meanwhile may be in the way.
                with suppress(DomainError):
                    self._return(trip)
            self._wait()
            self._compare_trip()
        self.faults += [*self.workers.failures(), *refuted("recompute", "--check"), *refuted("verify_matches")]

    def _compare_trip(self) -> None:
        """Act, take it back, act again at once, and take that back: compare what is there each time."""
        latest = LogEntry.objects.latest("pk").pk
        before = self._everything(latest)
        trip = self._go()
        self._wait()
        acted = self._everything(latest)
        try:
            self._return(trip)
            if not trip.came:
                self._do(trip)
                self._wait()
                self._compare(f"{trip}, done again", but_for_times(acted), but_for_times(self._everything(latest)))
                self._return(trip)
        except DomainError as error:
            self.faults.append(f"{trip} cannot be taken back: {error}")
            return
        self._wait()
        after = self._everything(latest)
        self._compare(f"{trip}, taken back", without(before, trip.came), without(after, trip.came))

    def _everything(self, latest: int) -> dict[str, Any]:
        # The sweep does so at any moment.
        send_news(now=read_clock())
        self.competition.refresh_from_db()
        return everything_there(self.competition, latest)

    def _compare(self, after: str, expected: dict[str, Any], found: dict[str, Any]) -> None:
        if self.competition.is_endless or self.competition.first_stage.abilities.pairs_by_results:
            # What is paired meanwhile stands.
            return
        self.faults += [
            f"{part} after {after}: {found[part]}, not {rows}" for part, rows in expected.items() if found[part] != rows
        ]

    def _go(self) -> Trip:
        """Do something that is not refused, kill a worker, and return what was done."""
        offered = offered_on(self.competition, read_clock())
        self.source.shuffle(offered)
        for act, subjects in offered:
            trip = Trip(act, self.source.choice(subjects), self.competition, self.source, read_clock())
            with suppress(DomainError):
                self._do(trip)
                self.done.append(act.operation)
                return trip
        raise AssertionError(f"Nothing can be done: {offered}")

    def _do(self, trip: Trip) -> None:
        trip.do(read_clock())
        self._kill()

    def _return(self, trip: Trip) -> None:
        trip.take_back(read_clock())
        self._kill()

    def _kill(self) -> None:
        """Kill a process that runs tasks while it does, at any moment; its parent starts another one."""
        time.sleep(self.source.uniform(0, TASK))
        for process in children(self.source.choice(self.workers.running).pid):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    @contextmanager
    def _playing(self) -> Iterator[None]:
        """Let players move, and matches end, as long as the context lasts."""
        over = threading.Event()
        player = threading.Thread(target=self._play, args=(over, Random(self.source.random())))
        player.start()
        try:
            yield
        finally:
            over.set()
            player.join()

    def _play(self, over: threading.Event, source: Random) -> None:
        try:
            left = PLAYED
            while not over.is_set():
                going_on = running(self.competition)
                if not going_on:
                    return
                # Where a match has just ended there is no move.
                with suppress(DomainError, IndexError):
                    move_in(source.choice(going_on), read_clock())
                    if left and source.random() < TASK:
                        left -= 1
                        self._end(source.choice(going_on).match_id, source)
        finally:
            connection.close()

    def _end_some(self, number: int) -> None:
        for _ in range(number):
            self._wait()
            if going_on := running(self.competition):
                self._end(self.source.choice(going_on).match_id, self.source)

    def _end(self, match_id: int, source: Random) -> None:
        adjudicate_match(match_id=match_id, winner=source.choice([*Side, None]), now=read_clock())

    def _wait(self) -> None:
        """Wait until the workers have nothing to do any more."""
        timer, swept_at = StallTimer(SECONDS), 0.0
        while waiting := waiting_in(self.competition):
            assert not timer.has_stalled(waiting, at=time.monotonic()), (waiting, self.workers.said())
            if time.monotonic() > swept_at + SWEEP_INTERVAL.total_seconds():
                queue_sweeps()
                swept_at = time.monotonic()
            time.sleep(POLL_INTERVAL)
