"""Any act, taken back, and done again: at random, for every format, whatever was played before."""

import random

import pytest
from django.test import override_settings

from tests.marks import nightly
from tests.tournaments.decisions.test_decision_taken_back import (
    HOUR,
    KINDS,
    MATCHES,
    SIZES,
    WHY,
    Decisions,
    play_some,
)
from tests.tournaments.decisions.undoing import RECIPES, assert_same, begin, everything, faults_of, go_on
from tests.tournaments.verbs import make_olga, running

BOTH = [pytest.param(seed, marks=pytest.mark.both_databases) for seed in range(len(RECIPES))]


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [*BOTH, *nightly(range(len(RECIPES), 500))])
def test_act_and_take_back_equals_nothing_and_again_equals_once(seed, monkeypatch):
    monkeypatch.setattr("secrets.randbelow", random.Random(seed).randrange)
    olga = make_olga()
    act = {"actor": olga, "reason": WHY}
    source = random.Random(seed)
    name = sorted(RECIPES)[seed % len(RECIPES)]
    with override_settings(VACATION_DAYS=0):
        competition = begin(name, SIZES.get(name, 5), organiser=olga)
        now = play_some(competition, source, source.randrange(3, 2 + 3 * MATCHES.get(name, 6)))
        if not running(competition):
            return
        before = everything(competition)
        decisions = Decisions(competition, source, act, now + HOUR)
        kind, choices = source.choice(KINDS), source.getstate()
        take_back = getattr(decisions, kind)()
        go_on(competition, now + HOUR, pairs=False)
        acted = everything(competition)
        take_back(now + 2 * HOUR)
        go_on(competition, now + 2 * HOUR, pairs=False)
        assert_same(everything(competition), before)
        source.setstate(choices)
        decisions.now = now + HOUR
        getattr(decisions, kind)()
        go_on(competition, now + HOUR, pairs=False)
        assert_same(everything(competition), acted)
        go_on(competition, now + 2 * HOUR)
        assert faults_of(competition, now + 2 * HOUR) == []
