"""A match can be changed from outside: decided, forfeited, given time, annulled."""

from datetime import timedelta
from functools import partial

import pytest
from django.db.models import F

from matches.clock import CORRESPONDENCE, MILLISECOND, TimeControl
from matches.errors import MatchOver
from matches.models import Match
from matches.services.adjudication import (
    adjudicate_by_score,
    adjudicate_match,
    annul_match,
    break_off,
    forfeit_matches,
    forfeit_to_move,
)
from matches.services.extensions import extend_bank, take_back_bank
from matches.services.verification import verify_match
from players.models import Player
from rules_engine.values import BySide, Side
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, act, begin_match, play_to_a_goal, reread, set_up
from tests.matches.test_races import moving, race

LATER = NOON + timedelta(hours=100)
DAY = timedelta(days=1)


def test_a_decision_ends_the_match_as_it_stands(begin):
    match = adjudicate_match(match_id=set_up(begin()).pk, winner=Side.RED, now=LATER)
    assert (match.winner, match.ending, match.points, match.finished_at) == ("red", "adjudication", BySide(0, 5), LATER)
    assert verify_match(match=reread(match)) == []


def test_a_decision_by_the_score_gives_the_match_to_the_side_that_leads(begin):
    level, led = set_up(begin()), play_to_a_goal(begin())
    leader = "yellow" if led.state.score.yellow else "red"
    assert adjudicate_by_score(match_ids=[led.pk, level.pk], now=LATER) == [level.pk, led.pk]
    assert (reread(level).points, reread(led).winner) == (BySide(2, 2), leader)
    assert adjudicate_by_score(match_ids=[level.pk], now=LATER + DAY) == []


def test_a_forfeit_is_lost_by_the_absent_side_and_gives_nobody_points_when_both_are_absent(begin):
    one, both = begin(), begin()
    assert forfeit_matches(losers={both.pk: None, one.pk: Side.YELLOW}, now=LATER) == [one.pk, both.pk]
    assert [reread(match).points for match in (one, both)] == [BySide(0, 5), BySide(0, 0)]
    assert [verify_match(match=reread(match)) for match in (one, both)] == [[], []]


def test_the_side_to_move_forfeits(begin):
    first, second, over = begin(), act(begin(), YELLOW_SET_UP, now=NOON), begin()
    adjudicate_match(match_id=over.pk, winner=Side.YELLOW, now=NOON)
    ended = forfeit_to_move(match_ids=[over.pk, second.pk, first.pk], now=LATER)
    assert ended == [first.pk, second.pk]
    assert [reread(match).winner for match in (first, second, over)] == ["red", "yellow", "yellow"]


def test_matches_that_go_on_are_broken_off_and_matches_that_are_over_still_count(begin):
    going_on, drawn, late = begin(), begin(), begin()
    adjudicate_match(match_id=drawn.pk, winner=None, now=NOON)
    Match.objects.filter(pk=late.pk).update(deadline=LATER - DAY, vacation_limit=0)
    assert break_off(match_ids=[late.pk, drawn.pk, going_on.pk], now=LATER) == [going_on.pk]
    assert break_off(match_ids=[going_on.pk], now=LATER + DAY) == []
    ended = [(each.ending, each.finished_at, each.annulled_at) for each in map(reread, (going_on, drawn, late))]
    assert ended == [("adjudication", LATER, LATER), ("adjudication", NOON, None), ("timeout", LATER - DAY, None)]


def test_the_same_decision_again_has_no_effect_and_another_is_refused(begin):
    match = adjudicate_match(match_id=begin().pk, winner=Side.RED, now=LATER)
    assert adjudicate_match(match_id=match.pk, winner=Side.RED, now=LATER + DAY).finished_at == LATER
    with pytest.raises(MatchOver):
        adjudicate_match(match_id=match.pk, winner=Side.YELLOW, now=LATER)


def test_a_match_whose_time_has_run_out_is_lost_on_time_whatever_is_decided_later(begin):
    match = begin()
    Match.objects.filter(pk=match.pk).update(vacation_limit=0)
    with pytest.raises(MatchOver):
        adjudicate_match(match_id=match.pk, winner=Side.YELLOW, now=NOON + timedelta(days=11))
    match = reread(match)
    assert (match.winner, match.ending, match.finished_at) == ("red", "timeout", NOON + timedelta(days=10))


def test_the_side_to_act_gets_time_up_to_the_cap(begin):
    match = begin()
    assert extend_bank(match_id=match.pk, side=Side.YELLOW, by=2 * DAY, now=LATER) == 2 * DAY
    assert reread(match).deadline == NOON + timedelta(days=12)
    assert extend_bank(match_id=match.pk, side=Side.YELLOW, by=10 * DAY, now=LATER) == timedelta(hours=100) - 2 * DAY
    assert reread(match).deadline == LATER + CORRESPONDENCE.cap
    assert extend_bank(match_id=match.pk, side=Side.YELLOW, by=DAY, now=LATER) == timedelta(0)
    assert verify_match(match=reread(match)) == []


def test_the_side_that_waits_gets_time_for_its_next_turn(anna, piotr):
    control = TimeControl.of_seconds(60, 0, 600)
    match = begin_match(anna, piotr, time_control=control)
    assert extend_bank(match_id=match.pk, side=Side.RED, by=timedelta(seconds=30), now=NOON) == timedelta(seconds=30)
    match = act(reread(match), YELLOW_SET_UP, now=NOON + timedelta(seconds=10))
    assert match.deadline == NOON + timedelta(seconds=100)
    assert match.banks == BySide(timedelta(seconds=50), timedelta(seconds=90))
    assert verify_match(match=match) == []


def test_a_side_that_has_lost_on_time_gets_no_extension(begin):
    match = begin(time_control=TimeControl.of_seconds(60, 0, 600))
    with pytest.raises(MatchOver):
        extend_bank(match_id=match.pk, side=Side.YELLOW, by=DAY, now=NOON + timedelta(seconds=60))
    assert reread(match).ending == "timeout"


def test_no_time_is_no_extension(begin):
    with pytest.raises(ValueError, match="a millisecond at least"):
        extend_bank(match_id=begin().pk, side=Side.RED, by=timedelta(0), now=NOON)


def test_a_side_plays_on_in_the_time_that_it_was_given(begin):
    match = begin()
    extend_bank(match_id=match.pk, side=Side.YELLOW, by=DAY, now=LATER)
    act(match, YELLOW_SET_UP, now=LATER + DAY)
    assert verify_match(match=reread(match)) == []


LAST = NOON + CORRESPONDENCE.bank - DAY / 2
"""When half a day is left of the bank."""


@pytest.mark.parametrize(
    ("gave_at", "given", "taken_at", "taken"),
    [
        (LATER, [DAY], LATER, DAY),
        # The last first, each once.
        (LATER, [DAY, DAY / 4], LATER, DAY / 4),
        # What is spent stays spent, and a day is left.
        (LAST, [2 * DAY], LAST, 3 * DAY / 2),
        (LAST, [2 * DAY], LAST + DAY, DAY / 2),
        (LAST, [2 * DAY], LAST + 2 * DAY, None),
        (LATER, [], LATER, None),
    ],
)
def test_what_is_unspent_of_an_extension_is_taken_back(begin, gave_at, given, taken_at, taken):
    match = begin()
    for by in given:
        extend_bank(match_id=match.pk, side=Side.YELLOW, by=by, now=gave_at)
    for expected in [taken, *given[-2::-1]]:
        result = take_back_bank(match_id=match.pk, now=taken_at)
        assert (result and result.time) == expected
    assert verify_match(match=reread(match)) == []


def test_time_that_the_cap_has_cut_off_is_not_taken_back(begin):
    match = begin()
    extend_bank(match_id=match.pk, side=Side.YELLOW, by=DAY, now=NOON + 2 * DAY)
    match = act(reread(match), YELLOW_SET_UP, now=NOON + 2 * DAY)
    # Without the extension the turn would have filled half of the two days.
    assert (match.bank_yellow, CORRESPONDENCE.increment) == (CORRESPONDENCE.cap // MILLISECOND, 3 * DAY / 2)
    taken = take_back_bank(match_id=match.pk, now=LATER)
    assert taken is not None
    assert taken.time == DAY / 2
    assert verify_match(match=reread(match)) == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_move_and_time_taken_back_at_once_both_count():
    anna, piotr = Player.objects.create(username="anna"), Player.objects.create(username="piotr")
    for _ in range(20):
        match = begin_match(anna, piotr)
        extend_bank(match_id=match.pk, side=Side.YELLOW, by=DAY, now=LATER)
        take_back = partial(take_back_bank, match_id=match.pk, now=LATER)
        assert race(moving(match, text=YELLOW_SET_UP, now=LATER), take_back) == ["ok", "ok"]
        assert verify_match(match=reread(match)) == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_move_and_an_extension_at_once_both_count():
    anna, piotr = Player.objects.create(username="anna"), Player.objects.create(username="piotr")
    for _ in range(20):
        match = begin_match(anna, piotr)
        assert race(
            moving(match, text=YELLOW_SET_UP, now=LATER),
            partial(extend_bank, match_id=match.pk, side=Side.YELLOW, by=DAY, now=LATER),
        ) == ["ok", "ok"]
        assert verify_match(match=reread(match)) == []


def test_an_annulled_match_is_over_and_stays_annulled(begin):
    match = annul_match(match_id=begin().pk, now=LATER)
    assert (match.status, match.ending, match.winner, match.annulled_at) == ("finished", "adjudication", "", LATER)
    assert annul_match(match_id=match.pk, now=LATER + DAY).annulled_at == LATER
    assert not Match.objects.filter(annulled_at__gt=F("finished_at")).exists()
