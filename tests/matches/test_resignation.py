"""Resignation, and matches lost on time."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from matches.clock import TimeControl
from matches.errors import MatchOver, NotYourMatch, TooLate
from matches.models import Match, Status
from matches.services import expire_match, resign
from rules_engine.values import BySide, Ending, Outcome, Side
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, act, play_to_a_goal, reread, stored

BLITZ = TimeControl.of_seconds(60, 0, 60)
LATER = timedelta(hours=1)


def deadline_of(match: Match) -> datetime:
    assert match.deadline is not None
    return match.deadline


def test_resigning_loses_five_to_nothing_even_if_the_opponent_is_to_act(begin, piotr):
    match = begin()
    assert match.side == Side.YELLOW
    match = resign(match_id=match.pk, player=piotr, now=NOON + LATER)
    assert match.outcome == Outcome(Side.YELLOW, Ending.RESIGNATION, BySide(0, 0))
    assert match.points == BySide(5, 0)
    assert (match.status, match.finished_at) == (Status.FINISHED, NOON + LATER)
    assert stored(match) == stored(reread(match))


def test_to_resign_again_has_no_effect(begin, piotr):
    match = resign(match_id=begin().pk, player=piotr, now=NOON + LATER)
    before = stored(match)
    resign(match_id=match.pk, player=piotr, now=NOON + 2 * LATER)
    assert stored(match) == before


def test_the_winner_by_resignation_cannot_resign(begin, anna, piotr):
    match = resign(match_id=begin().pk, player=piotr, now=NOON + LATER)
    with pytest.raises(MatchOver):
        resign(match_id=match.pk, player=anna, now=NOON + LATER)


def test_a_stranger_cannot_resign(begin, carla):
    match = begin()
    with pytest.raises(NotYourMatch):
        resign(match_id=match.pk, player=carla, now=NOON)
    assert reread(match).status == Status.PLAYING


def test_nobody_resigns_a_match_that_the_clock_has_decided(begin, piotr):
    match = begin(time_control=BLITZ)
    before = stored(match)
    with pytest.raises(TooLate):
        resign(match_id=match.pk, player=piotr, now=deadline_of(match))
    assert stored(match) == before


def test_a_match_lost_on_time_is_dated_at_the_deadline_not_at_the_sweep(begin):
    match = act(begin(time_control=BLITZ), YELLOW_SET_UP, now=NOON + timedelta(seconds=20))
    deadline = deadline_of(match)
    assert expire_match(match_id=match.pk, now=deadline + 24 * LATER)
    match = reread(match)
    assert match.finished_at == deadline == NOON + timedelta(seconds=80)
    assert match.outcome == Outcome(Side.YELLOW, Ending.TIMEOUT, BySide(0, 0))
    assert match.points == BySide(5, 0)


def test_a_match_expires_at_its_deadline_and_not_before(begin):
    match = begin(time_control=BLITZ)
    assert not expire_match(match_id=match.pk, now=deadline_of(match) - timedelta(microseconds=1))
    assert expire_match(match_id=match.pk, now=deadline_of(match))


def test_to_expire_a_match_again_has_no_effect(begin):
    match = begin(time_control=BLITZ)
    now = deadline_of(match)
    assert expire_match(match_id=match.pk, now=now)
    before = stored(match)
    assert not expire_match(match_id=match.pk, now=now + LATER)
    assert stored(match) == before


def test_a_timeout_keeps_the_score(begin):
    match = play_to_a_goal(begin())
    score = match.state.score
    Match.objects.filter(pk=match.pk).update(vacation_limit=0)
    expire_match(match_id=match.pk, now=deadline_of(match))
    outcome = reread(match).outcome
    assert outcome is not None
    assert outcome.score == score
