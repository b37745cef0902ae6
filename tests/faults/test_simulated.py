"""A whole competition by real workers, one of which is killed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from tests.faults.simulated import ROOT, Simulations
from tournaments.services.simulation_workers import StallTimer


@pytest.mark.postgresql
@pytest.mark.slow
@pytest.mark.extra
def test_a_worker_is_killed_and_the_other_brings_the_competition_to_its_end():
    with Simulations.on_own_servers() as simulations:
        played = simulations.play("groups-then-knock-out", 5)
    assert played.wrong == ""
    assert played.matches >= 8


@pytest.mark.django_db
@pytest.mark.once
def test_a_site_without_a_broker_says_what_workers_need():
    with pytest.raises(CommandError, match="need PostgreSQL and a broker: set DATABASE_URL and REDIS_URL"):
        call_command("simulate", workers=2)


@pytest.mark.once
@pytest.mark.parametrize("workers", [None, 1])
def test_the_only_worker_is_not_killed(workers):
    with pytest.raises(CommandError, match="--kill needs --workers 2 or more"):
        call_command("simulate", workers=workers, kill=True)


@pytest.mark.once
def test_the_command_knows_the_recipes_by_itself():
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-m", "tests.faults.simulated", "--help"]
    told = subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert "groups-then-knock-out" in told.stdout


@pytest.mark.once
def test_a_simulation_lasts_as_long_as_something_changes():
    timer = StallTimer(10)
    stalled = [timer.has_stalled(reached, at=at) for reached, at in ((1, 0), (1, 9), (2, 10), (2, 19), (2, 20))]
    assert stalled == [False, False, False, False, True]
