"""P5 to P7: who draws the next line, and who gets the point."""

import pytest

from rules_engine.values import BySide, Ending, Outcome, Side
from tests.rules_engine.paper_soccer.diagrams import NO_OWN_GOALS, begun, name, placed, refuses

YELLOW, RED = Side.YELLOW, Side.RED


@pytest.mark.parametrize(
    ("turns", "last", "where"),
    [
        ("0 3", "6", "the start"),
        ("0 1 6", "4", "a point where the ball has been"),
        ("2 2 2", "2", "the east wall"),
        ("6 6 6", "6", "the west wall"),
        ("0 1 1 1", "7", "the north wall"),
        ("3 3 3 5", "3", "the south wall"),
        ("0 0 0 0", "1", "a post"),
        ("4 4 4 4", "5", "a post"),
    ],
)
def test_the_ball_bounces_on(turns, last, where):
    before = begun(turns)

    assert before.play(last).turn is before.turn, where


def test_the_ball_bounces_on_the_mouths_middle_where_it_has_been():
    state = begun("0 0 0 0 0 3").play("672")

    assert state.picture().ball == name(4, 0)
    assert state.turn is YELLOW


def test_a_turn_is_taken_step_by_step_or_at_once():
    before = begun("0 0 0 0 0 3")
    one_by_one = before.play("6").play("7").play("2").play("5")

    assert before.play("6725") == one_by_one
    assert str(before.play("6725")) == str(one_by_one) == "yellow 0 0 0 0 0 3 6725"


def test_going_on_from_a_fresh_point_is_refused():
    refuses(begun(), "00", "P5", "your turn is over after 0", "e7")
    refuses(begun("0 1 6"), "4222", "P5", "your turn is over after 42")


def test_a_joined_text_is_refused_by_the_rule_that_its_first_wrong_step_breaks():
    refuses(begun("0 1 6"), "40", "P4")
    refuses(begun("2 2 2"), "22", "P2")


@pytest.mark.parametrize(("turns", "winner"), [("0 0 7 1 71", YELLOW), ("3 4 5 3 5 5", RED)])
def test_a_side_that_reaches_the_goal_that_it_attacks_gets_the_point(turns, winner):
    score = BySide(int(winner is YELLOW), int(winner is RED))

    assert begun(turns).outcome == Outcome(winner, Ending.NORMAL_TIME, score)
    assert begun(turns).turn is None


@pytest.mark.parametrize(
    ("x", "y", "own", "there"),
    [
        (4, 10, YELLOW, {"3", "4", "5"}),
        (3, 10, YELLOW, {"3"}),
        (5, 10, YELLOW, {"5"}),
        (4, 0, RED, {"0", "1", "7"}),
        (3, 0, RED, {"1"}),
        (5, 0, RED, {"7"}),
    ],
)
def test_own_goals_can_be_forbidden(x, y, own, there):
    forbidden = placed(x, y, side=own, preset=NO_OWN_GOALS)
    allowed = placed(x, y, side=own)
    attacking = placed(x, y, side=own.opponent, preset=NO_OWN_GOALS)

    assert set(allowed.legal_moves()) - set(forbidden.legal_moves()) == there
    assert attacking.legal_moves() == allowed.legal_moves()
    for step in sorted(there):
        refuses(forbidden, step, "P6", "own goal")


def test_a_side_that_has_nothing_but_an_own_goal_left_is_stuck_where_it_is_forbidden():
    turns = "4 4 4 4 4"
    state = begun(turns, preset=NO_OWN_GOALS)

    assert state.turn is RED
    assert state.play("4").winner is RED


@pytest.mark.parametrize(("turns", "winner"), [("7 0 7 7 7", RED), ("2 1 7 1 1 1", YELLOW)])
def test_a_side_that_must_draw_and_cannot_gives_the_opponent_the_point(turns, winner):
    state = begun(turns)

    assert state.legal_moves() == []
    assert state.winner is winner
    assert state.picture().ball in (name(0, 0), name(8, 0))


def test_nothing_is_drawn_after_the_end_of_the_point():
    refuses(begun("0 0 7 1 71"), "4", "P6", "the ball is in the goal")
    refuses(begun("0 0 7 1"), "714", "P6", "the ball is in the goal")
    refuses(begun("7 0 7 7 7"), "3", "P7", "the ball is stuck")
    refuses(begun("7 0 7 7"), "73", "P7", "the ball is stuck")


def test_a_position_says_its_task_and_its_stage():
    assert begun().task == "Draw a line from the ball to a neighbouring point."
    assert begun("0 1 6 4").task == "The ball bounces: draw another line."
    assert begun("7 0 7 7 7").task == "The point is over."
    assert [begun(turns).stage for turns in ("", "0", "0 1 6 4", "0 1 6 42", "7 0 7 7 7")] == [
        "turn 1",
        "turn 2",
        "turn 4",
        "turn 5",
        "point over",
    ]
