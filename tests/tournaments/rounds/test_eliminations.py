"""Eliminations from the draw to the winner, whatever their size and whatever happens."""

import random
from datetime import timedelta

import pytest

from formats.pairing.elimination import count_rounds
from rules_engine.values import Side
from tests.marks import nightly
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.models import CompetitionStatus, Entry, Fixture, Round, Seeding, Standing, Tie

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(days=9)


def check_finished(cup, size, now=LATER):
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.FINISHED
    assert cup.winner == verbs.tie_of(cup, count_rounds(size), 0).winner
    assert verbs.faults_of(cup, now) == []
    assert not Tie.objects.filter(round__group__stage__competition=cup, decided_at=None).exists()
    assert not Round.objects.filter(group__stage__competition=cup, ended_at=None).exists()
    assert not Fixture.objects.filter(competition=cup, is_annulled=False, counted_at=None).exists()
    places = Standing.objects.filter(group__stage__competition=cup).order_by("place").values_list("place", flat=True)
    assert (len(places), [*places[:2]], None in places) == (size, [1, 2], False)


@pytest.mark.parametrize("size", [3, 8, 11, *nightly([2, 5, 16, 17])])
def test_a_cup_of_any_size_comes_to_its_winner(size):
    source = random.Random(size)
    cup, _ = verbs.start_cup(
        size,
        legs=source.choice([1, 2]),
        replays=source.choice([0, 1, 2]),
        third_place=source.choice([True, False]),
        round_days=source.choice([None, 7]),
        seeding=source.choice(list(Seeding)),
    )
    verbs.play_out(cup, source)
    check_finished(cup, size)


@pytest.mark.parametrize("size", [33, *nightly([128])])
def test_large_cups_come_to_their_winner(size):
    cup, _ = verbs.start_cup(size, legs=1, replays=0)
    assert verbs.play_out(cup, random.Random(size)) == size - 1
    check_finished(cup, size)


def test_without_days_for_rounds_a_tie_begins_as_soon_as_both_are_known():
    cup, entries = verbs.start_cup(5, legs=1, round_days=None)
    begun = {frozenset((each.yellow, each.red)) for each in verbs.running(cup)}
    assert begun == {frozenset(entries[3:]), frozenset(entries[1:3])}


def test_with_days_for_rounds_a_round_begins_when_the_last_one_has_ended():
    cup, entries = verbs.start_cup(5, legs=1, round_days=7)
    only = verbs.running(cup)
    assert [{each.yellow, each.red} for each in only] == [set(entries[3:])]
    verbs.end(only[0], Side.YELLOW)
    assert len(verbs.running(cup)) == 2
    numbers = dict(Round.objects.filter(group__stage__competition=cup).values_list("number", "started_at"))
    assert [numbers[1], numbers[2], numbers[3]] == [NOON, NOON, None]


def test_level_legs_are_replayed_with_sides_swapped_and_then_points_of_the_pair_decide():
    cup, entries = verbs.start_cup(2, legs=2, replays=1)
    assert [(each.leg, each.yellow) for each in verbs.running(cup)] == [(1, entries[0]), (2, entries[1])]
    verbs.end_all(cup, None)
    pair = verbs.running(cup)
    assert [(each.leg, each.yellow) for each in pair] == [(3, entries[0]), (4, entries[1])]
    verbs.end(pair[0], None)
    verbs.end(pair[1], entries[1])
    cup.refresh_from_db()
    assert (cup.winner, verbs.tie_of(cup, 1, 0).decided_by) == (entries[1], "replay-points")


@pytest.mark.parametrize("seed", [0, 1, *nightly(range(2, 12))])
def test_withdrawals_at_any_stage_stop_no_cup(seed):
    source = random.Random(seed)
    size = source.randint(2, 12)
    cup, _entries = verbs.start_cup(
        size, legs=source.choice([1, 2]), third_place=source.choice([True, False]), round_days=source.choice([None, 7])
    )
    now = NOON
    while True:
        now += timedelta(minutes=1)
        verbs.settle_all(now) if source.random() < 0.5 else None
        cup.refresh_from_db()
        if cup.status == CompetitionStatus.FINISHED:
            break
        remaining = list(Entry.objects.filter(competition=cup, status="active").select_related("player"))
        going_on = verbs.running(cup)
        if remaining and source.random() < 0.4:
            entry = source.choice(remaining)
            verbs.withdraw(entry, entry.player, now)
        elif going_on:
            verbs.end(source.choice(going_on), source.choice([*Side, None]), now)
        else:
            verbs.settle_all(now)
    verbs.settle_all(now)
    check_finished(cup, size, now)
