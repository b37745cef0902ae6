"""S14 the goal."""

import pytest

from rules_engine.values import BySide
from tests.rules_engine.diagrams import accepts, position, refuses

IN_FRONT = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . y o . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . . . . . .
     4  . . . . . . . .
     3  . . . . y . . r
     2  . . . . . . . .
     1  . . . . Y . . y
     0  y . . = = . . .
"""
"""The goal is three steps from the ball: d9, d10, and across the end line."""

ONE_WAY = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . r . . . .
     8  . . . . o y . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . . . . . . . .
     4  . . . . . . . .
     3  . . . . y . . r
     2  . . . . . . . .
     1  . . . . Y . . y
     0  y . . = = . . .
"""
"""By e9 and d10 the ball has turned once: it has to go on to the north-west."""

TURNED_ALREADY = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . o r . . . . .
     8  . y . . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . . . . . . . .
     4  . . . . . . . .
     3  . . . . y . . r
     2  . . . . . . . .
     1  . . . . Y . . y
     0  y . . = = . . .
"""
"""The ball gets to d10 by c10, going east after its change: it cannot turn to the goal."""

NOT_TURNED_YET = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . o . r . . . .
     8  . y . . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . . . . . . . .
     4  . . . . . . . .
     3  . . . . y . . r
     2  . . . . . . . .
     1  . . . . Y . . y
     0  y . . = = . . .
"""

WIDE_OF_THE_GOAL = """
    11  . . . = = . . .
    10  . . . R . . . .
     9  . . . r . . . .
     8  . y o . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . . . . . . . .
     4  . . . . . . . .
     3  . . . . y . . r
     2  . . . . . . . .
     1  . . . . Y . . y
     0  y . . = = . . .
"""

OWN_GOAL = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . . . . . r
     4  . . . . . . . .
     3  . . y . . . . .
     2  . . . o . . . .
     1  . . . . Y . . y
     0  y . . = = . y .
"""

REDS_CHANCE = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . . . . . .
     4  . . . . . . . .
     3  . . r o . . . .
     2  . . y . . . . y
     1  . . . . Y . . y
     0  y . . = = . . .
"""


@pytest.mark.parametrize("die", [3, 4, 5, 6])
def test_s14_a_goal_may_come_at_any_step_of_the_kick(die):
    after = accepts(position(IN_FRONT, dice=die), "c8-d8>goal")

    assert after.score == BySide(1, 0)


@pytest.mark.parametrize("die", [1, 2])
def test_s14_a_goal_wants_enough_length(die):
    refuses(position(IN_FRONT, dice=die), "c8-d8>goal", "S14", "end line")


def test_s14_red_scores_at_the_other_end():
    after = accepts(position(REDS_CHANCE, side="red", dice=3, score="1-1", last_scorer="red"), "c3-d3>goal")

    assert after.score == BySide(1, 2)


def test_s14_the_step_across_the_end_line_may_be_diagonal():
    state = position(ONE_WAY, dice=3)

    accepts(state, "f8-e8>goal")

    assert state.route("f8-e8>goal").kick[:3] == ("e8", "e9", "d10")


def test_s14_the_step_across_the_end_line_is_no_second_change_of_direction():
    refuses(position(TURNED_ALREADY, dice=3), "b8-b9>goal", "S11", "goal")
    accepts(position(NOT_TURNED_YET, dice=3), "b8-b9>goal")


def test_s14_the_end_line_is_crossed_from_a_keeper_space_only():
    refuses(position(WIDE_OF_THE_GOAL, dice=3), "b8-c8>goal", "S11", "goal")


def test_s14_the_own_end_line_is_not_crossed():
    refuses(position(OWN_GOAL, dice=4), "c3-d2>goal", "S14", "end line")
