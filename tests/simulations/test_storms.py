"""Whatever organisers and players do, in whatever order: nothing fails, nothing is stuck, and all figures are right."""

import logging
import random
from collections import Counter

import pytest
import time_machine
from zeal import zeal_ignore

from tests.marks import nightly
from tests.simulations.storm import BY_PLAYERS, Storm
from tests.simulations.team_storm import BY_CAPTAINS, TeamStorm
from tests.tournaments.verbs import NOON
from tournaments.desk.acts import ACTS
from tournaments.making.recipes import RECIPES, SWISS, TEAM_LEAGUE
from tournaments.models import ENDED

LONG = 500
USUAL = [SWISS, TEAM_LEAGUE]
"""Other recipes have their storm at night."""


@pytest.fixture(scope="module")
def done():
    """Give what was done in the storms of this run, by their recipes."""
    return {}


@pytest.mark.django_db
@pytest.mark.parametrize("recipe", [*USUAL, *nightly(name for name in RECIPES if name not in USUAL)])
def test_a_competition_weathers_a_storm(recipe, pytestconfig, without_rates, caplog, monkeypatch, done):
    # Draws by lot are the same each time.
    monkeypatch.setattr("secrets.randbelow", random.Random(recipe).randrange)
    # What moves many rows may ask for each; the tests of pages watch the queries.
    with time_machine.travel(NOON, tick=False) as clock, zeal_ignore():
        kind = Storm if RECIPES[recipe].boards is None else TeamStorm
        storm = kind(recipe, pytestconfig.getoption("storm_seed"), clock)
        storm.blow(pytestconfig.getoption("storm"))
        storm.play_on()
        assert storm.competition.status in ENDED
        storm.check()
    # A sweep goes on after what fails, and says so in the log.
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []
    assert set(+storm.done) >= storm.certain
    done[recipe] = storm.done


@pytest.mark.django_db
def test_everything_that_can_be_done_was_done_in_long_storms(pytestconfig, done):
    if pytestconfig.getoption("storm") < LONG or done.keys() != RECIPES.keys():
        pytest.skip(f"This is asked of storms of {LONG} things over all recipes.")
    everything = {act.operation for act in ACTS} | BY_PLAYERS | BY_CAPTAINS | {"draw"}
    assert everything - set(+sum(done.values(), Counter())) == set()
