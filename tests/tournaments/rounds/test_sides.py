"""Sides in matches without a mirrored leg, as competitions give them."""

import random
from collections import Counter
from datetime import timedelta

import pytest

from players.models import Player
from rules_engine.values import Ending
from tests.marks import nightly
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.models import Entry, Fixture
from tournaments.records.sides import balance_of

pytestmark = pytest.mark.django_db


def check_first_matches(fixtures):
    """Check that in no match Yellow had been Yellow more often than Red, or as often and last, Red not."""
    as_yellow: Counter[int] = Counter()
    was_yellow: dict[int, bool] = {}
    for fixture in fixtures.order_by("pk"):
        yellow, red = fixture.yellow_id, fixture.red_id
        if fixture.leg == 1:
            claims = [(as_yellow[key], was_yellow.get(key, False)) for key in (yellow, red)]
            assert claims == sorted(claims)
        as_yellow[yellow] += 1
        was_yellow[yellow], was_yellow[red] = True, False


def test_in_ties_of_one_match_the_player_less_often_yellow_is_yellow():
    cup, _ = verbs.start_cup(16, legs=1, replays=2, third_place=True)
    verbs.play_out(cup, random.Random(3))
    check_first_matches(Fixture.objects.all())
    legs = {(each.tie_id, each.leg): each.yellow_id for each in Fixture.objects.all()}
    assert {leg for _tie, leg in legs} >= {1, 2, 3}
    for (tie, leg), yellow in legs.items():
        assert (yellow == legs[tie, 1]) == (leg % 2 == 1)


def test_in_the_first_round_the_draw_says_who_is_yellow():
    cup, _ = verbs.start_cup(8, legs=1)
    assert all(fixture.yellow.draw < fixture.red.draw for fixture in verbs.running(cup))


@pytest.mark.parametrize("days", [12, *nightly([30])])
def test_games_of_a_points_ladder_are_given_by_the_balance(days):
    ladder, _entries = verbs.start_ladder(7, rematch_days=1)
    source = random.Random(5)
    for day in range(days):
        now = NOON + timedelta(days=2 * day)
        verbs.pair(ladder, now)
        for fixture in source.sample(verbs.running(ladder), 3):
            verbs.end(fixture, source.choice([fixture.yellow, fixture.red, None]), now)
    assert Fixture.objects.count() > 2 * days
    check_first_matches(Fixture.objects.all())


def test_matches_that_were_annulled_or_forfeited_count_for_nobody():
    ladder = verbs.make_ladder()
    olga = Player.objects.create(username="olga")
    ladder.organisers.add(olga)
    one, other = verbs.enter_all(ladder, verbs.make_players(2))
    verbs.start(ladder)
    Entry.objects.filter(pk=one.pk).update(draw=1)
    Entry.objects.filter(pk=other.pk).update(draw=2)
    verbs.pair(ladder)
    (fixture,) = verbs.running(ladder)
    assert fixture.yellow == one
    assert balance_of(entries=[one.pk, other.pk]).give(one.pk, other.pk).yellow == other.pk
    verbs.end(fixture, None)
    Fixture.objects.update(ending=Ending.FORFEIT)
    assert balance_of(entries=[one.pk, other.pk]).give(one.pk, other.pk).yellow == one.pk
    Fixture.objects.update(ending=Ending.GOALLESS)
    assert balance_of(entries=[one.pk, other.pk]).give(one.pk, other.pk).yellow == other.pk
    verbs.annul(fixture, olga, reason="wrong players")
    assert balance_of(entries=[one.pk, other.pk]).give(one.pk, other.pk).yellow == one.pk


def test_the_sides_of_any_number_of_entrants_are_read_in_one_query(django_assert_num_queries):
    _cup, entries = verbs.start_cup(16, legs=1)
    with django_assert_num_queries(1):
        balance_of(entries=[entry.pk for entry in entries])
