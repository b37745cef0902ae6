"""Diagrams of the rule T18: minutes, halves, over time, the shoot-out, and what an end is worth."""

import pytest

from rules_engine.soccer_tactics import GAMES
from rules_engine.values import BySide, Ending, Nature, Outcome, Side
from tests.rules_engine.soccer_tactics.diagrams import position, refuses, roll

LAST = """
    9  .  .  .  .  .  .  R6 .
    8  .  .  .  Y10o . Y9 .  .
"""


@pytest.mark.parametrize(("preset", "minutes"), [("", 25), ("-advanced", 25), ("-90", 45), ("-90-advanced", 45)])
def test_t18_a_half_ends_where_the_next_minute_would_begin(preset, minutes):
    last = position(LAST, "ball", 3, clock=f"1.{minutes}", preset=preset).play(">g9")
    assert (last.half, last.minute, last.phase, last.side) == (2, 1, "kick-off", "red")
    before = position(LAST, "ball", 3, clock=f"1.{minutes - 1}", preset=preset).play(">g9")
    assert (before.half, before.minute) == (1, minutes)


def test_t18_the_opener_begins_over_time_and_the_other_side_second_halves():
    for opener, other in (("yellow", "red"), ("red", "yellow")):
        second = position(LAST, "ball", 3, clock="1.25", opener=opener).play(">g9")
        third = position(LAST, "ball", 3, clock="2.25", opener=opener).play(">g9")
        fourth = position(LAST, "ball", 3, clock="3.9", opener=opener).play(">g9")
        assert [(each.half, each.side) for each in (second, third, fourth)] == [(2, other), (3, opener), (4, other)]


def test_t18_a_corner_and_a_penalty_are_still_taken():
    shot = position("14 . . . Y10o . . . .\n13 R9 . . . . . . .", "shot", clock="1.25")
    assert (shot.play("corner").phase, shot.play("corner").minute) == ("corner", 26)
    assert shot.play("goal-kick").phase == "kick-off"
    penalty = position("14 . . . Y8R9o . . . .", "battle", clock="1.25").play("6-1")
    assert (penalty.phase, penalty.minute) == ("penalty", 26)
    assert penalty.play("no-goal").half == 2
    assert position("10 . . . Y8R9o . . . .", "battle", clock="1.25").play("6-1").half == 2


def test_t18_no_kick_off_follows_a_goal_that_ends_a_half():
    over = position("14 . . . Y10o . . . .\n13 R9 . . . . . . .", "shot", clock="2.25").play("goal")
    assert over.outcome == Outcome(Side.YELLOW, Ending.NORMAL_TIME, BySide(1, 0))
    assert (over.turn, over.stage, over.task) == (None, "full time", "The match is over.")
    refuses(over, "1", "T18", "match is over")


@pytest.mark.parametrize(("preset", "minutes"), [("", 9), ("-90", 15)])
def test_t18_over_time_is_two_periods_of_a_third_of_a_half(preset, minutes):
    assert position(LAST, "ball", 3, clock=f"3.{minutes - 1}", preset=preset).play(">g9").half == 3
    assert position(LAST, "ball", 3, clock=f"3.{minutes}", preset=preset).play(">g9").half == 4
    over = position(LAST, "ball", 3, clock=f"4.{minutes}", preset=preset, score="1-2").play(">g9")
    assert over.outcome == Outcome(Side.RED, Ending.OVER_TIME, BySide(1, 2))


def shoot_out(opener="yellow"):
    return position(LAST, "ball", 3, clock="4.9", opener=opener, score="1-1").play(">g9")


def test_t18_level_again_penalties_decide_the_opener_first():
    assert (shoot_out().side, shoot_out("red").side) == ("yellow", "red")
    assert (shoot_out().turn, [each.text for each in shoot_out().chance()]) == (Nature.CHANCE, ["goal", "no-goal"])
    won = roll(shoot_out(), *["goal", "no-goal"] * 3)
    assert won.outcome == Outcome(Side.YELLOW, Ending.PENALTIES, BySide(1, 1))
    assert tuple(won.penalties) == (3, 0)


def test_t18_they_end_as_soon_as_they_are_decided():
    state = roll(shoot_out(), *["goal", "no-goal"] * 2, "goal")
    assert state.outcome is None
    assert roll(state, "no-goal").outcome
    assert roll(shoot_out(), *["no-goal", "goal"] * 2, "no-goal").outcome is None
    assert roll(shoot_out(), *["no-goal", "goal"] * 3).outcome.winner is Side.RED


def test_t18_after_five_each_one_each_until_decided():
    level = roll(shoot_out(), *["goal"] * 10)
    assert level.outcome is None
    assert roll(level, "goal", "goal").outcome is None
    assert roll(level, "goal").outcome is None
    assert roll(level, "no-goal", "goal").outcome.winner is Side.RED
    assert roll(level, "no-goal").turn is Nature.CHANCE


@pytest.mark.parametrize(
    ("ending", "points"),
    [
        (Ending.NORMAL_TIME, (5, 0)),
        (Ending.OVER_TIME, (4, 1)),
        (Ending.PENALTIES, (3, 2)),
        (Ending.RESIGNATION, (5, 0)),
        (Ending.TIMEOUT, (5, 0)),
        (Ending.FORFEIT, (5, 0)),
    ],
)
def test_each_ending_is_worth_its_match_points(ending, points):
    for winner in Side:
        worth = GAMES[0].match_points(Outcome(winner, ending, BySide(1, 1)))
        assert (worth[winner], worth[winner.opponent]) == points


def test_an_adjudicated_match_without_a_winner_is_two_points_each():
    assert GAMES[0].match_points(Outcome(None, Ending.ADJUDICATION, BySide(0, 0))) == BySide(2, 2)
