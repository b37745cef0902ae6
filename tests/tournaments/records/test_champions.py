"""Who is champion by a table when the leader leaves before, in or after their last match."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import override_settings

from rules_engine.values import Side
from tests.tournaments.decisions.undoing import RECIPES, begin, faults_of, go_on
from tests.tournaments.verbs import NOON, boss, end, recompute_tables, running, withdraw
from tournaments.decisions.services.status import finish_competition
from tournaments.decisions.services.undo.disqualifications import disqualify_entry, take_back_disqualification
from tournaments.models import Disqualification, Entry, Fixture, Group, Standing, Title

pytestmark = pytest.mark.django_db

NIGHTLY = pytest.mark.nightly
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
LAST_GROUPS = {
    "format": "round-robin",
    "grouping": {"size": 3},
    "advance": {"first": 2},
    "later": [{"format": "round-robin"}],
}
SIZES = {"leagues": 12, "last group stage": 6}
MATCHES = {
    "round robin": 3,
    "round robin in rounds": 3,
    "swiss": 3,
    "last group stage": 5,
    "leagues": 5,
    "league of teams": 6,
}
LEFT = [
    pytest.param(row, missing, id=f"{row[0]}-{missing}", marks=[] if number % 2 == missing else [NIGHTLY])
    for number, row in enumerate(MATCHES.items())
    for missing in (1, 0)
]
"""In the last match, or after it; by day one of the two in each recipe."""


def play(competition, leader, now, *, until=None):
    """Let the leader win their matches, before all others, until so many have been played; return the moment."""
    while fixtures := running(competition):
        if until is not None and played_by(leader) >= until:
            break
        own = [each for each in fixtures if leader.pk in {each.yellow_id, each.red_id}]
        fixture, now = (own or fixtures)[0], now + MINUTE
        end(fixture, leader if own else Side.YELLOW, now)
        go_on(competition, now)
    return now


def played_by(entry):
    counted = Fixture.objects.filter(counted_at__isnull=False, is_annulled=False)
    return sum(entry.pk in pair for pair in counted.values_list("yellow", "red"))


@pytest.fixture
def led(request, monkeypatch):
    """Return a competition that is decided by a table, who leads it, and the number of matches that they play in it."""
    monkeypatch.setitem(RECIPES, "last group stage", LAST_GROUPS)
    name, matches = request.param
    with override_settings(VACATION_DAYS=0):
        competition = begin(name, SIZES.get(name, 4))
        first = Group.objects.filter(stage__competition=competition, number=1)
        yield competition, Entry.objects.filter(seats__group__in=first).earliest("pk"), matches


@pytest.mark.parametrize(("led", "missing"), LEFT, indirect=["led"])
def test_who_withdraws_is_champion_only_without_matches_to_play(led, missing):
    competition, leader, matches = led
    now = play(competition, leader, NOON, until=matches - missing)
    assert competition.status == "running"
    withdraw(leader, now=now + MINUTE)
    go_on(competition, now + MINUTE)
    play(competition, leader, now + MINUTE)
    assert competition.status == "finished"
    assert (competition.winner == leader) is (missing == 0)
    assert Title.objects.get().player == competition.winner.player
    assert Standing.objects.filter(seat__entry=competition.winner, played__gt=0).exists()
    assert faults_of(competition, now + MINUTE) == []


WHEN = {"before the last": 2, "in the last": 1, "after the last": 0, "after the end": None}
DISQUALIFIED = [
    pytest.param(
        row,
        missing,
        rule,
        id=f"{row[0]}-{when}-{rule}",
        marks=[] if place == number % len(WHEN) and (number + order) % len(Disqualification) == 0 else [NIGHTLY],
    )
    for number, row in enumerate(MATCHES.items())
    for place, (when, missing) in enumerate(WHEN.items())
    for order, rule in enumerate(Disqualification)
]
"""Every rule at every moment in every recipe; by day each recipe once."""


@pytest.mark.parametrize(("led", "missing", "rule"), DISQUALIFIED, indirect=["led"])
def test_nobody_who_is_disqualified_is_champion_until_it_is_taken_back(led, missing, rule):
    competition, leader, matches = led
    now = play(competition, leader, NOON, until=None if missing is None else matches - missing) + MINUTE
    act: dict[str, Any] = {"entry_id": leader.pk, "confirm": True, "actor": boss(), "reason": "Two accounts."}
    disqualify_entry(**act, rule=rule, now=now)
    go_on(competition, now)
    now = play(competition, leader, now) + MINUTE
    assert competition.status == "finished"
    assert competition.winner not in {leader, None}
    assert Title.objects.get().player == competition.winner.player
    assert not Standing.objects.filter(seat__entry=leader, place__isnull=False).exists()
    assert faults_of(competition, now) == []
    if missing in {1, 2}:
        # Rounds that were drawn without them stand.
        return
    second = competition.winner
    take_back_disqualification(**act, now=now)
    go_on(competition, now)
    now = play(competition, leader, now)
    assert competition.winner == leader
    disqualify_entry(**act, rule=rule, now=now + HOUR)
    go_on(competition, now + HOUR)
    assert competition.winner == second
    assert faults_of(competition, now + HOUR) == []


@pytest.mark.parametrize("ends", [False, True], ids=["going on", "over"])
@pytest.mark.parametrize("name", ["points ladder", "challenge ladder"])
def test_nobody_who_is_disqualified_is_first_of_a_ladder_until_it_is_taken_back(name, ends):
    ladder = begin(name, 4)
    leader = Entry.objects.filter(competition=ladder).earliest("pk")
    play(ladder, leader, NOON, until=3)

    def places():
        recompute_tables(competition_id=ladder.pk, now=NOON + 2 * HOUR)
        rows = Standing.objects.filter(group__stage__competition=ladder, place__isnull=False).order_by("place")
        return list(rows.values_list("seat__entry", flat=True))

    before = places()
    assert before[0] == leader.pk
    if ends:
        finish_competition(competition_id=ladder.pk, actor=boss(), reason="The season is over.", now=NOON + HOUR)
    act: dict[str, Any] = {"entry_id": leader.pk, "confirm": True, "actor": boss(), "reason": "Two accounts."}
    disqualify_entry(**act, rule=None, now=NOON + HOUR)
    # What was unfinished is won without play by whoever was drawn, who may pass others by it.
    assert sorted(places()) == sorted(before[1:])
    take_back_disqualification(**act, now=NOON + 2 * HOUR)
    assert places() == before
    assert faults_of(ladder, NOON + 2 * HOUR) == []
