"""S14 the goal."""

import pytest

from rules_engine.values import BySide
from tests.rules_engine.diagrams import accepts, position, refuses

IN_FRONT = """
    10  . . . . R . . .
     8  . . y o . . . .
     3  . . . . y . . r
     1  . . . . Y . . .
"""
"""The goal is three steps from the ball: d9, d10, and across the end line."""


TURNED_ALREADY = """
    10  . . . . R . . .
     9  . o r . . . . .
     8  . y . . . . . .
     3  . . . . y . . r
     1  . . . . Y . . .
"""
"""The ball gets to d10 by c10, going east after its change: it cannot turn to the goal."""


WIDE_OF_THE_GOAL = """
    10  . . . R . . . .
     9  . . . r . . . .
     8  . y o . . . . .
     3  . . . . y . . r
     1  . . . . Y . . .
"""

OWN_GOAL = """
    10  . . . . R . . .
     5  . . . . . . . r
     3  . . y . . . . .
     2  . . . o . . . .
     1  . . . . Y . . .
     0  . . . = = . y .
"""

REDS_CHANCE = """
    10  . . . . R . . .
     3  . . r o . . . .
     2  . . y . . . . y
     1  . . . . Y . . .
"""


@pytest.mark.parametrize("die", [3, 4, 5, 6])
def test_s14_a_goal_may_come_at_any_step_of_the_kick(die):
    after = accepts(position(IN_FRONT, dice=die), "c8-d8>goal")

    assert after.score == BySide(1, 0)


def test_s14_red_scores_at_the_other_end():
    after = accepts(position(REDS_CHANCE, side="red", dice=3, score="1-1", last_scorer="red"), "c3-d3>goal")

    assert after.score == BySide(1, 2)


@pytest.mark.parametrize(
    ("diagram", "die", "kick", "rule", "word"),
    [
        pytest.param(IN_FRONT, 1, "c8-d8>goal", "S14", "end line", id="too short"),
        pytest.param(IN_FRONT, 2, "c8-d8>goal", "S14", "end line", id="a step too short"),
        pytest.param(TURNED_ALREADY, 3, "b8-b9>goal", "S11", "goal", id="by a second change of direction"),
        pytest.param(WIDE_OF_THE_GOAL, 3, "b8-c8>goal", "S11", "goal", id="not from a keeper space"),
        pytest.param(OWN_GOAL, 4, "c3-d2>goal", "S14", "end line", id="across the own end line"),
    ],
)
def test_s14_no_other_kick_scores(diagram, die, kick, rule, word):
    refuses(position(diagram, dice=die), kick, rule, word)
