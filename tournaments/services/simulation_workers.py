"""Let real workers play a simulated competition: processes that take their tasks from the site's broker.

Sweeps are queued as beat does it, only sooner, so that what a worker takes with it when it is killed is found again
within seconds. Whoever starts this is the players' part: it challenges and resigns, and plays no moves.
"""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.models import Sum
from django.utils import timezone

from matches.errors import MatchOver, TooLate
from matches.models import Match, Status
from matches.services.resignation import resign
from tournaments.errors import ChallengeRefused
from tournaments.models import ENDED, Competition, Fixture, Ladder
from tournaments.services.simulation import (
    Plan,
    Report,
    challenge_somebody,
    change_field,
    create_simulated,
    end_simulated,
    find_resigning,
    report_on_seasons,
)
from tournaments.services.simulation_acts import act_as_organiser
from tournaments.services.simulation_seasons import begin_next_season
from tournaments.services.verification import waiting_in_competition, waiting_in_family

START_TIMEOUT = 120.0
STOP_TIMEOUT = 15.0
POLL_INTERVAL = 0.2
SWEEP_INTERVAL = 2.0
SELDOM = 3600.0
"""The seconds between sweeps that only tidy up, and are left out."""

IN_MEMORY = "memory:"
TASK_FAILED = "raised unexpected"
"""How Celery begins to report a task that has ended by an error."""


class WorkersImpossible(Exception):
    """Workers cannot work for this site; the sentence says what they need."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Who works: so many ``workers``, of which one dies in the middle if ``kills``.

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
    """Celery workers with one process each, as long as the context lasts. ``logs`` is where each of them writes."""

    number: int
    logs: Path
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __enter__(self) -> Self:
        for number in range(1, self.number + 1):
            command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency", "1"]
            options = ["--hostname", f"simulation-{os.getpid()}-{number}@%h", "--loglevel", "WARNING"]
            with (self.logs / f"worker-{number}.log").open("wb") as log:
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

    def kill_one(self) -> None:
        """Kill one by SIGKILL, with the process that runs its tasks: it can put nothing in order any more."""
        self._kill(self.running.pop())

    @property
    def has_ended(self) -> bool:
        """Whether a worker has ended by itself."""
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

    Whatever waits when nothing has changed for the crew's time is a fault that is named. Raises ``WorkersImpossible``.
    """
    _check_site()
    with (
        tempfile.TemporaryDirectory(prefix="kickabout-workers-") as logs,
        WorkerProcesses(crew.workers, Path(logs)) as workers,
    ):
        workers.wait()
        seasons = [create_simulated(plan, now=timezone.now())]
        waiting = _play(plan, crew, seasons[0], workers)
        while len(seasons) < plan.seasons and not waiting:
            is_last, source = len(seasons) + 1 == plan.seasons, random.Random(plan.seed)
            seasons.append(begin_next_season(seasons[-1], source, is_last=is_last, now=timezone.now()))
            waiting = _play(plan, replace(crew, kills=False), seasons[-1], workers)
        faults = [*waiting, *workers.failures()]
        if workers.has_ended:
            faults.append(f"A worker has ended by itself. It wrote:\n{workers.said()}")
    report = report_on_seasons(seasons)
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


def _play(plan: Plan, crew: Crew, competition: Competition, workers: WorkerProcesses) -> list[str]:
    """Play until the competition has ended and nothing waits; return what waits if nothing changes for too long."""
    source = random.Random(plan.seed)
    change_field(plan, competition, source)
    kills, swept_at, acts_left = crew.kills, 0.0, plan.acts
    timer = StallTimer(crew.seconds)
    while True:
        if kills and _is_in_the_middle(plan, competition):
            workers.kill_one()
            kills = False
        if acts_left:
            acts_left -= 1
            act_as_organiser(competition, source, now=timezone.now())
        _resign_matches(plan, competition)
        with suppress(ChallengeRefused):
            challenge_somebody(plan, competition, source)
        _end_endless(plan, competition)
        waiting = [*_still_playing(competition), *_still_waiting(competition)]
        if not waiting:
            return ["The competition was over before a worker was killed."] if kills else []
        if timer.has_stalled((waiting, _count_plies(competition)), at=time.monotonic()):
            return [f"After {crew.seconds:.0f} seconds without a change: {sentence}" for sentence in waiting]
        if time.monotonic() > swept_at + SWEEP_INTERVAL:
            _queue_sweeps()
            swept_at = time.monotonic()
        time.sleep(POLL_INTERVAL)


def _count_plies(competition: Competition) -> int:
    plies = Match.objects.filter(competition=competition.pk).aggregate(plies=Sum("ply"))
    return plies["plies"] or 0


def _queue_sweeps() -> None:
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        if entry["schedule"] < SELDOM:
            current_app.send_task(entry["task"], expires=2 * SWEEP_INTERVAL)


def _is_in_the_middle(plan: Plan, competition: Competition) -> bool:
    """Return whether half of what is to be played, as far as that is known, has been."""
    fixtures = Fixture.objects.filter(competition=competition.pk)
    known = plan.max_matches if isinstance(competition, Ladder) else max(plan.players, fixtures.count())
    over = fixtures.filter(match__status=Status.FINISHED).count()
    return over >= known // 2 or (known <= 2 and fixtures.filter(match__ply__gt=0).exists())


def _resign_matches(plan: Plan, competition: Competition) -> None:
    playing = Match.objects.filter(competition=competition.pk, status=Status.PLAYING, ply__gt=0)
    for match in playing.select_related("yellow", "red"):
        player = find_resigning(plan, match)
        if player is not None:
            with suppress(MatchOver, TooLate):
                resign(match_id=match.pk, player=player, now=timezone.now())


def _end_endless(plan: Plan, competition: Competition) -> None:
    """End a ladder of which enough has been played, or a competition that waits for more players than there are."""
    competition.refresh_from_db()
    if competition.status in ENDED:
        return
    fixtures = Fixture.objects.filter(competition=competition.pk)
    is_enough = fixtures.filter(match__status=Status.FINISHED).count() >= plan.max_matches
    if is_enough or not competition.is_endless:
        end_simulated(competition)


def _still_playing(competition: Competition) -> Iterator[str]:
    competition.refresh_from_db()
    if competition.status not in ENDED:
        yield f"{competition} has not come to its end."
    going_on = Match.objects.filter(competition=competition.pk, finished_at=None)
    yield from (f"Match {match} still goes on." for match in going_on.values_list("pk", flat=True))


def _still_waiting(competition: Competition) -> list[str]:
    # Matches that were broken off make no difference to a table, but have to be settled as well.
    broken_off = Match.objects.filter(competition=competition.pk, annulled_at__isnull=False, settled_at=None)
    return [
        *(
            f"Match {match} was broken off, and waits to be settled."
            for match in broken_off.values_list("pk", flat=True)
        ),
        *waiting_in_competition(competition=competition, now=timezone.now()),
        *waiting_in_family(family=competition.rules.family),
    ]
