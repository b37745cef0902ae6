"""Resignation, and matches lost on time."""

from datetime import timedelta

import pytest

from matches.clock import TimeControl
from matches.errors import MatchOver, TooLate
from matches.models import Status
from matches.services import expire_match, resign
from rules_engine.values import BySide, Ending, Outcome, Side
from tests.matches.conftest import NOON
from tests.matches.play import reread, stored, unchanged

BLITZ = TimeControl.of_seconds(60, 0, 60)
LATER = timedelta(hours=1)


def test_resigning_loses_five_to_nothing_even_if_the_opponent_is_to_act(begin, piotr):
    match = begin()
    assert match.side == Side.YELLOW
    match = resign(match_id=match.pk, player=piotr, now=NOON + LATER)
    assert match.outcome == Outcome(Side.YELLOW, Ending.RESIGNATION, BySide(0, 0))
    assert match.points == BySide(5, 0)
    assert (match.status, match.finished_at) == (Status.FINISHED, NOON + LATER)
    assert stored(match) == stored(reread(match))


def test_to_resign_again_has_no_effect_and_the_winner_cannot_resign(begin, anna, piotr):
    match = resign(match_id=begin().pk, player=piotr, now=NOON + LATER)
    with unchanged(match):
        resign(match_id=match.pk, player=piotr, now=NOON + 2 * LATER)
    with pytest.raises(MatchOver):
        resign(match_id=match.pk, player=anna, now=NOON + LATER)


def test_nobody_resigns_a_match_that_the_clock_has_decided(begin, piotr):
    match = begin(time_control=BLITZ)
    with unchanged(match), pytest.raises(TooLate):
        resign(match_id=match.pk, player=piotr, now=match.deadline)


def test_a_match_expires_at_its_deadline_and_not_before_and_once(begin):
    match = begin(time_control=BLITZ)
    assert not expire_match(match_id=match.pk, now=match.deadline - timedelta(microseconds=1))
    assert expire_match(match_id=match.pk, now=match.deadline)
    with unchanged(match):
        assert not expire_match(match_id=match.pk, now=match.deadline + LATER)
