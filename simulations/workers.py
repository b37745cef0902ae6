"""Let real workers play a simulated competition: processes that take their tasks from the site's broker.

Sweeps are queued as beat does it, only sooner, so that what a worker takes with it when it is killed is found again
within seconds. The process that starts this is the players' part: it challenges and resigns, and plays no moves.
"""

import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Self

from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.models import Sum

from database.clock import read_clock
from matches.errors import MatchOver, TooLate
from matches.models import Match, Status
from matches.services.resignation import resign
from simulations.clock import SimulatedClock
from simulations.seasons import Seasons
from simulations.simulation import (
    SHARE_OF_ACTS,
    Plan,
    Report,
    challenge_somebody,
    choose_time,
    create_simulated,
    find_resigning,
    report_on_seasons,
    simulated_time,
)
from tournaments.models import ENDED, Competition, Fixture
from tournaments.running.errors import ChallengeRefused
from tournaments.running.services.verification import waiting_in_competition, waiting_in_family

START_TIMEOUT = 120.0
STOP_TIMEOUT = 15.0
POLL_INTERVAL = 0.2
SWEEP_INTERVAL = timedelta(seconds=2)
SELDOM = 3600.0
"""The seconds between sweeps that only tidy up, and are left out."""

IN_MEMORY = "memory:"
TASK_FAILED = "raised unexpected"
"""The words in which Celery reports a task that has ended by an error."""


class WorkersImpossible(Exception):
    """Workers cannot work for this site; the sentence says what they need."""


@dataclass(frozen=True, slots=True)
class Crew:
    """The workers of a simulation: so many ``workers``, of which one dies in the middle if ``kills``.

    ``seconds`` is how long they may take until something has changed.
    """

    workers: int
    kills: bool
    seconds: float


@dataclass(slots=True)
class StallTimer:
    """Tells when nothing has changed for so many ``seconds``, however long the whole takes."""

    seconds: float
    reached: object = None
    changed_at: float | None = None

    def has_stalled(self, reached: object, *, at: float) -> bool:
        """Return whether what is reached now had been reached so many seconds ago already."""
        if self.changed_at is None or reached != self.reached:
            self.reached, self.changed_at = reached, at
        return at >= self.changed_at + self.seconds


@dataclass(slots=True)
class WorkerProcesses:
    """Celery workers with one process each, as long as the context lasts, by the time of a simulated site.

    ``logs`` is where each of them writes.
    """

    number: int
    logs: Path
    clock: SimulatedClock
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    started: int = 0

    def __enter__(self) -> Self:
        for _ in range(self.number):
            self.start_one()
        return self

    def __exit__(self, *error: object) -> None:
        for process in self.running:
            process.terminate()
        for process in self.running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(STOP_TIMEOUT)
            self._kill(process)

    def wait(self) -> None:
        """Wait until all of them take tasks. Raises ``WorkersImpossible`` if one does not."""
        end = time.monotonic() + START_TIMEOUT
        own = f"simulation-{os.getpid()}-"
        while sum(name.startswith(own) for answer in current_app.control.ping(timeout=1.0) for name in answer) < len(
            self.running
        ):
            if time.monotonic() > end or self.has_ended:
                raise WorkersImpossible(f"A worker does not start. It wrote:\n{self.said()}")

    def start_one(self) -> None:
        """Start one more, which takes tasks after a while."""
        self.started += 1
        module = [sys.executable, "-m", "simulations.worker"]
        command = [*module, str(self.clock.file), str(os.getpid()), "-A", "config", "worker", "--concurrency", "1"]
        options = ["--hostname", f"simulation-{os.getpid()}-{self.started}@%h", "--loglevel", "WARNING"]
        with (self.logs / f"worker-{self.started}.log").open("wb") as log:
            self.running.append(
                subprocess.Popen(  # noqa: S603 - these are our own words
                    [*command, *options, "--without-gossip", "--without-mingle"],
                    cwd=settings.BASE_DIR,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            )

    def kill_one(self) -> None:
        """Kill one by SIGKILL, with the process that runs its tasks: it can put nothing in order any more."""
        self._kill(self.running.pop())

    @property
    def has_ended(self) -> bool:
        """Return whether a worker has ended by itself."""
        return any(process.poll() is not None for process in self.running)

    def said(self) -> str:
        """Return the ends of the logs."""
        return "\n".join(log.read_text(errors="replace")[-3000:] for log in sorted(self.logs.iterdir()))

    def failures(self) -> list[str]:
        """Return a sentence for each task that has ended by an error."""
        return [
            f"A task failed: {line}"
            for log in sorted(self.logs.iterdir())
            for line in log.read_text(errors="replace").splitlines()
            if TASK_FAILED in line
        ]

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def simulate_with_workers(plan: Plan, crew: Crew) -> Report:
    """Do what ``simulate_competition`` does, but let workers do all that is queued, and see one of them die.

    Whatever waits when nothing has changed for the crew's time is a fault that is named. Raises ``WorkersImpossible``
    and ``SiteInUse``.
    """
    _check_site()
    with (
        simulated_time(plan) as clock,
        tempfile.TemporaryDirectory(prefix="kickabout-workers-") as logs,
        WorkerProcesses(crew.workers, Path(logs), clock) as workers,
    ):
        workers.wait()
        source = random.Random(plan.seed)
        seasons = create_simulated(plan, source, now=read_clock())
        waiting = _play(plan, crew, seasons, workers, source)
        faults = [*waiting, *workers.failures()]
        if workers.has_ended:
            faults.append(f"A worker has ended by itself. It wrote:\n{workers.said()}")
        report = report_on_seasons(plan, seasons)
    report.faults[:0] = faults
    return report


def processor_time() -> float:
    """Return the seconds of processor time that this process, and those that it has waited for, have used."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _check_site() -> None:
    if connection.vendor != "postgresql" or settings.BROKER_URL.startswith(IN_MEMORY):
        raise WorkersImpossible(
            "Worker processes need PostgreSQL and a broker: set DATABASE_URL and REDIS_URL. "
            "A site on SQLite has neither: leave out --workers, and all tasks are run in this process."
        )


def _play(plan: Plan, crew: Crew, seasons: Seasons, workers: WorkerProcesses, source: random.Random) -> list[str]:
    """Play until all has ended and nothing waits; return what waits if nothing changes for too long."""
    kills, swept_at = crew.kills, 0.0
    timer, done = StallTimer(crew.seconds), set[int]()
    while True:
        now = read_clock()
        if kills and _is_in_the_middle(plan, seasons.first):
            workers.kill_one()
            kills = False
        seasons.go_on(now=now)
        if source.random() < SHARE_OF_ACTS:
            seasons.act(now=now)
        _resign_matches(plan, seasons)
        with suppress(ChallengeRefused):
            challenge_somebody(plan, seasons.first, source)
        if _has_played_enough(plan, seasons.first):
            seasons.finish_endless(now=now)
        waiting = _still_waiting(seasons, done)
        if not waiting:
            if seasons.are_over():
                return ["The competition was over before a worker was killed."] if kills else []
            _wait(seasons, workers.clock, source)
        waiting += _still_playing(seasons)
        if timer.has_stalled((waiting, workers.clock.ahead, _count_plies(seasons)), at=time.monotonic()):
            return [f"After {crew.seconds:.0f} seconds without a change: {sentence}" for sentence in waiting]
        if time.monotonic() > swept_at + SWEEP_INTERVAL.total_seconds():
            queue_sweeps()
            swept_at = time.monotonic()
        time.sleep(POLL_INTERVAL)


def _wait(seasons: Seasons, clock: SimulatedClock, source: random.Random) -> None:
    """Put the clock forward to what is due next, unless a computer is to act; where nothing is, let nobody join more.

    What is due already is done by the sweeps.
    """
    if seasons.calls_computers():
        return
    now = read_clock()
    moment = seasons.next_moment(now=now)
    if moment is None:
        seasons.close_entry(now=now)
    elif moment > now:
        clock.put_forward(choose_time(moment, source))


def _count_plies(seasons: Seasons) -> int:
    own = [each.pk for each in seasons.all()]
    plies = Match.objects.filter(competition__in=own).aggregate(plies=Sum("ply"))
    return plies["plies"] or 0


def queue_sweeps() -> None:
    """Queue what beat would have queued by now."""
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        if entry["schedule"] < SELDOM:
            # By the real time, which is that of the broker.
            current_app.send_task(entry["task"], expires=2 * SWEEP_INTERVAL.total_seconds())


def _is_in_the_middle(plan: Plan, competition: Competition) -> bool:
    """Return whether half of what is to be played, as far as that is known, has been."""
    fixtures = Fixture.objects.filter(competition=competition.pk)
    known = plan.max_matches if competition.is_endless else max(plan.players, fixtures.count())
    over = fixtures.filter(match__status=Status.FINISHED).count()
    return over >= known // 2 or (known <= 2 and fixtures.filter(match__ply__gt=0).exists())


def _resign_matches(plan: Plan, seasons: Seasons) -> None:
    own = [each.pk for each in seasons.all()]
    playing = Match.objects.filter(competition__in=own, status=Status.PLAYING, ply__gt=0)
    for match in playing.select_related("yellow", "red"):
        player = find_resigning(plan, match)
        if player is not None:
            with suppress(MatchOver, TooLate):
                resign(match_id=match.pk, player=player, now=read_clock())


def _has_played_enough(plan: Plan, competition: Competition) -> bool:
    """Return whether a ladder has had the matches that it was to have."""
    if not competition.is_endless:
        return False
    fixtures = Fixture.objects.filter(competition=competition.pk)
    return fixtures.filter(match__status=Status.FINISHED).count() >= plan.max_matches


def _still_playing(seasons: Seasons) -> list[str]:
    going_on = [each for each in seasons.all() if each.status not in ENDED]
    matches = Match.objects.filter(competition__in=[each.pk for each in seasons.all()], finished_at=None)
    return [
        *(f"{competition} has not come to its end." for competition in going_on),
        *(f"Match {match} still goes on." for match in matches.values_list("pk", flat=True)),
    ]


def _still_waiting(seasons: Seasons, done: set[int]) -> list[str]:
    """Return what waits to be settled; ``done`` are the competitions that have ended and in which nothing waits."""
    found = []
    for competition in seasons.all():
        if competition.pk in done:
            continue
        waiting = waiting_in(competition)
        if competition.status in ENDED and not waiting:
            done.add(competition.pk)
        found += waiting
    return found


def waiting_in(competition: Competition) -> list[str]:
    """Return one sentence for everything in a competition that workers have still to do."""
    # Matches that were broken off make no difference to a table, but have to be settled as well.
    broken_off = Match.objects.filter(competition=competition.pk, annulled_at__isnull=False, settled_at=None)
    return [
        *(
            f"Match {match} was broken off, and waits to be settled."
            for match in broken_off.values_list("pk", flat=True)
        ),
        *waiting_in_competition(competition=competition, now=read_clock()),
        *waiting_in_family(family=competition.rules.family),
    ]
