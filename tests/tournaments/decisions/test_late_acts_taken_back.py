"""Disqualifications before and after the end, and last matches that are played again, taken back: in all recipes."""

import random
from typing import Any

import pytest
from django.test import override_settings

from rules_engine.values import Side
from tests.tournaments.decisions.test_decision_taken_back import HOUR, NIGHTLY, SIZES, WHY, play_some
from tests.tournaments.decisions.undoing import RECIPES, assert_same, begin, everything, faults_of, go_on
from tests.tournaments.verbs import end, make_olga, replay, running
from tournaments.decisions.services.undo.decisions import take_back_replay
from tournaments.decisions.services.undo.disqualifications import disqualify_entry, take_back_disqualification
from tournaments.models import Disqualification, Fixture

ENDLESS = {"points ladder", "challenge ladder", "mini cup"}
DISQUALIFIED = [
    pytest.param(
        name,
        rule,
        ends,
        id=f"{name}-{rule}-{'over' if ends else 'going on'}",
        marks=[] if (number + place) % len(Disqualification) == 0 and number % 2 == ends else [NIGHTLY],
    )
    for number, name in enumerate(RECIPES)
    for place, rule in enumerate(Disqualification)
    for ends in (False, True)
    if name not in (ENDLESS if ends else {"swiss"})
]
"""Every rule in every recipe, before and after the end: each time, one of the rules, in half of them.

In a Swiss that goes on, rounds are drawn from the results meanwhile, which stand.
"""


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "rule", "ends"), DISQUALIFIED)
def test_a_disqualification_by_any_rule_taken_back_equals_nothing_and_again_equals_once(name, rule, ends, monkeypatch):
    monkeypatch.setattr("secrets.randbelow", random.Random(name).randrange)
    source, olga = random.Random(name), make_olga()
    with override_settings(VACATION_DAYS=0):
        competition = begin(name, SIZES.get(name, 5), organiser=olga)
        now = play_some(competition, source, 400 if ends else 3)
        assert (competition.status == "finished") is ends
        before = everything(competition)
        for entry in [competition.winner] if ends else competition.entries.order_by("pk")[:2]:
            act: dict[str, Any] = {"entry_id": entry.pk, "confirm": True, "actor": olga, "reason": WHY}
            disqualify_entry(**act, rule=rule, now=now + HOUR)
            go_on(competition, now + HOUR, pairs=False)
            acted = everything(competition)
            assert acted != before
            take_back_disqualification(**act, now=now + 2 * HOUR)
            go_on(competition, now + 2 * HOUR, pairs=False)
            assert_same(everything(competition), before)
            disqualify_entry(**act, rule=rule, now=now + HOUR)
            go_on(competition, now + HOUR, pairs=False)
            assert_same(everything(competition), acted)
            assert faults_of(competition, now + HOUR) == []
            take_back_disqualification(**act, now=now + 2 * HOUR)
            go_on(competition, now + 2 * HOUR, pairs=False)
            assert_same(everything(competition), before)


@pytest.mark.both_databases
@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(RECIPES.keys() - ENDLESS))
def test_a_last_match_that_is_played_again_and_taken_back_leaves_the_day_of_the_end(name, monkeypatch):
    monkeypatch.setattr("secrets.randbelow", random.Random(name).randrange)
    source, olga = random.Random(name), make_olga()
    with override_settings(VACATION_DAYS=0):
        competition = begin(name, SIZES.get(name, 4), organiser=olga)
        now = play_some(competition, source, 400)
        ended_at, before = competition.finished_at, everything(competition)
        played = Fixture.objects.filter(competition=competition, is_annulled=False, match__isnull=False)
        last = played.latest("finished_at", "pk")
        replay(last, olga, now + HOUR, confirm=True)
        go_on(competition, now + HOUR, pairs=False)
        while going_on := running(competition):
            end(going_on[0], Side.YELLOW, now + HOUR)
            go_on(competition, now + HOUR)
        assert competition.finished_at == now + HOUR
        take_back_replay(fixture_id=last.pk, confirm=True, actor=olga, reason=WHY, now=now + 2 * HOUR)
        go_on(competition, now + 2 * HOUR, pairs=False)
        assert competition.finished_at == ended_at
        assert_same(everything(competition), before)
        assert faults_of(competition, now + 2 * HOUR) == []
