"""Any act, taken back, and done again: at random, for every format, whatever was played before."""

import random
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import override_settings

from tests.marks import nightly
from tests.tournaments.decisions.moments import MOMENTS, bring_to
from tests.tournaments.decisions.round_trips import (
    ACT_OF,
    FORWARD,
    FOUND,
    INPUTS,
    Trip,
    but_for_ids,
    clocks_of,
    drawn_rounds,
    everything_there,
    offered_on,
    without,
)
from tests.tournaments.decisions.test_decision_taken_back import HOUR
from tests.tournaments.decisions.undoing import BY_HAND, RECIPES, assert_same, faults_of, go_on
from tests.tournaments.verbs import NOON, make_olga
from tournaments.models import LogEntry
from web.errors import DomainError

TRIPS = 10
"""How many trips begin in the same world."""


def pytest_generate_tests(metafunc):
    """Let trips begin in worlds of all recipes at all moments; by day there is one trip in one world of each recipe."""
    if "world" not in metafunc.fixturenames:
        return
    recipes, moments = sorted(RECIPES | BY_HAND), [*MOMENTS]
    worlds = [
        (recipes[seed % len(recipes)], moments[(seed + seed // len(recipes)) % len(moments)], seed)
        for seed in range(metafunc.config.getoption("round_trips") // TRIPS)
    ]
    usual = [pytest.param(each, marks=pytest.mark.both_databases) for each in worlds[: len(recipes)]]
    metafunc.parametrize("world", usual + nightly(worlds[len(recipes) :]), ids=_name, indirect=True)
    metafunc.parametrize("number", [0, *nightly(range(1, TRIPS))])


def _name(world):
    return "-".join(map(str, world))


@pytest.fixture(scope="module")
def world(request, django_db_setup, django_db_blocker):
    """Yield a competition at a moment, stored once for the trips that begin there, and the time."""
    name, moment, seed = request.param
    with (
        django_db_blocker.unblock(),
        transaction.atomic(),
        override_settings(VACATION_DAYS=0),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("secrets.randbelow", random.Random(seed).randrange)
        yield *bring_to(name, moment, random.Random(seed), make_olga()), seed
        transaction.set_rollback(True)


def choose(competition, seed, number, now):
    """Return the trips that can begin here, in an order of their own: first come acts that no other number has."""
    offered = offered_on(competition, now)
    random.Random(seed).shuffle(offered)
    source = random.Random(f"{seed} {number}")
    for act, subjects in offered[number % len(offered) :] + offered[: number % len(offered)]:
        yield Trip(act, source.choice(subjects), competition, source, now + HOUR)


def is_done(trip, do):
    """Do something, and return whether it was not refused: not all that is offered can be done with what is entered."""
    with suppress(DomainError):
        do(trip)
        return True
    return False


@pytest.mark.django_db
def test_act_and_take_back_equals_nothing_and_again_equals_once(world, number, monkeypatch):
    competition, now, seed = world
    competition = type(competition).objects.get(pk=competition.pk)
    latest = LogEntry.objects.latest("pk").pk

    def everything_now(at, *, pairs=False):
        go_on(competition, at, pairs=pairs)
        return everything_there(competition, latest)

    def do(trip):
        monkeypatch.setattr("secrets.randbelow", random.Random(seed).randrange)
        trip.do(now + HOUR)

    before, clocks, drawn = everything_now(now), clocks_of(competition), drawn_rounds(competition)
    trip = next(each for each in choose(competition, seed, number, now) if is_done(each, do))
    print(trip)
    acted = everything_now(now + HOUR)
    trip.take_back(now + 2 * HOUR)
    # What waits to be published is drawn again; games of a ladder that begin by themselves would be others.
    back, after = everything_now(now + 2 * HOUR, pairs=not competition.is_endless), clocks_of(competition)
    if drawn_rounds(competition) == drawn:
        assert_same(without(back, trip.came), without(before, trip.came))
        late = {key: after[key] - clocks[key] for key in clocks if key in after}
        assert late.keys() == clocks.keys() == after.keys()
        # Rounds that begin, or were cut short, have all of their days once more.
        most = {"match": 2 * HOUR, "round": 2 * HOUR + (now - NOON)}
        assert {key: by for key, by in late.items() if not timedelta(0) <= by <= most[key[0]]} == {}
        if not trip.came:
            do(trip)
            assert_same(but_for_ids(everything_now(now + HOUR)), but_for_ids(acted))
    go_on(competition, now + 2 * HOUR)
    assert faults_of(competition, now + 2 * HOUR) == []


@pytest.mark.parametrize("act", FORWARD, ids=lambda act: act.operation)
def test_of_every_act_it_is_known_what_is_entered_and_how_it_is_taken_back(act):
    back = ACT_OF[act.inverse]
    assert act.inputs.keys() | back.inputs.keys() <= INPUTS.keys()
    assert back.on is act.on or back.on.name in FOUND
