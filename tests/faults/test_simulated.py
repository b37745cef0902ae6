"""A whole competition by real workers, one of which is killed."""

import os
import select
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from simulations.workers import StallTimer
from tests.faults.scripted import wait_until
from tests.faults.simulated import ROOT, Simulations

TAKEN_BACK = ["groups then knock-out", "leagues", "points ladder"]
"""Other recipes are asked by ``python -m tests.faults.trips``."""


@pytest.fixture(scope="module")
def simulations():
    with Simulations.on_own_servers() as simulations:
        yield simulations


@pytest.mark.postgresql
@pytest.mark.nightly
def test_a_worker_is_killed_and_the_other_brings_the_competition_to_its_end(simulations):
    played = simulations.play("groups-then-knock-out", 5)
    assert played.wrong == ""
    assert played.matches >= 8


@pytest.mark.postgresql
@pytest.mark.nightly
def test_what_is_taken_back_is_as_it_was_though_workers_are_killed_meanwhile(simulations):
    done = simulations.run("-m", "tests.faults.trips", "--trips", "2", "--recipes", *TAKEN_BACK)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("0 faults") == len(TAKEN_BACK)


@pytest.mark.django_db
def test_a_site_without_a_broker_says_what_workers_need():
    with pytest.raises(CommandError, match="need PostgreSQL and a broker: set DATABASE_URL and REDIS_URL"):
        call_command("simulate", workers=2)


@pytest.mark.parametrize("workers", [None, 1])
def test_the_only_worker_is_not_killed(workers):
    with pytest.raises(CommandError, match="--kill needs --workers 2 or more"):
        call_command("simulate", workers=workers, kill=True)


@pytest.mark.django_db
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGHUP])
def test_workers_are_stopped_by_signals_unless_these_are_ignored(sign: signal.Signals) -> None:
    usual = {each: signal.getsignal(each) for each in (signal.SIGTERM, signal.SIGHUP)}
    try:
        # Under nohup the signal is ignored.
        signal.signal(sign, signal.SIG_DFL)
        with pytest.raises(CommandError, match="need PostgreSQL"):
            call_command("simulate", workers=2)
        with pytest.raises(SystemExit):
            signal.raise_signal(sign)
        signal.signal(sign, signal.SIG_IGN)
        with pytest.raises(CommandError, match="need PostgreSQL"):
            call_command("simulate", workers=2)
        signal.raise_signal(sign)
    finally:
        for each, handler in usual.items():
            signal.signal(each, handler)


WORKS = """
import sys, time
from pathlib import Path

import django

django.setup()

from simulations.clock import SimulatedClock
from simulations.workers import WorkerProcesses

folder = Path(sys.argv[1])
with WorkerProcesses(1, folder, SimulatedClock.in_folder(folder)) as workers:
    print(workers.running[0].pid, flush=True)
    time.sleep(300)
"""


def has_ended(reader: int) -> bool:
    """Tell whether nobody can write to a pipe any more: each process of a worker holds its end until it has ended."""
    while select.select([reader], [], [], 0)[0]:
        if not os.read(reader, 65536):
            return True
    return False


def test_workers_end_when_the_process_that_started_them_is_killed(untouched_site: Path, tmp_path: Path) -> None:
    data = shutil.copytree(untouched_site, tmp_path / "data")
    # A named pipe stands where the worker writes its log.
    log = tmp_path / "worker-1.log"
    os.mkfifo(log)
    reader = os.open(log, os.O_RDONLY | os.O_NONBLOCK)
    environment = {**os.environ, "DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", WORKS, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        try:
            assert not has_ended(reader)
            parent.kill()
            parent.wait()
            assert wait_until(lambda: has_ended(reader), seconds=60)
        finally:
            parent.kill()
            with suppress(ProcessLookupError):
                os.killpg(worker, signal.SIGKILL)
            os.close(reader)


def test_the_command_knows_the_recipes_by_itself():
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-m", "tests.faults.simulated", "--help"]
    told = subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert "groups-then-knock-out" in told.stdout


def test_a_simulation_lasts_as_long_as_something_changes():
    timer = StallTimer(10)
    stalled = [timer.has_stalled(reached, at=at) for reached, at in ((1, 0), (1, 9), (2, 10), (2, 19), (2, 20))]
    assert stalled == [False, False, False, False, True]
