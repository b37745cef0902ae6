"""S7 the walk, S8 the ball in its way."""

import pytest

from tests.rules_engine.diagrams import position, refuses

OPEN_FIELD = """
    10  . . . R . . . .
     8  . . . . . r . .
     6  . . r . . . o .
     5  . r y . . . . .
     4  . . r . . . . y
     2  . y . . . . . .
     1  . . . . Y . . .
     0  . . . = = . y .
"""
"""The yellow player on c5 has one way out, by d5."""

NARROW = """
    10  . . . R . . . .
     6  r . . . . o . .
     5  . r . . . . . .
     4  y r . . . . . .
     3  . y . . . . y y
     2  r . . . . . . .
     1  . . . . Y . . .
"""
"""The yellow player on a4 has a3 and a5 and nothing else."""

BALL_IN_THE_WAY = """
    10  . . . . R . . .
     6  r . . . . . . .
     5  y o . . . . . .
     4  r . . . . . . y
     2  . . r . . y . .
     1  . . . . Y . y .
"""
"""The yellow player on a5 meets the ball with the first step, whichever number is rolled."""


@pytest.mark.parametrize(
    ("diagram", "die", "move", "rule", "words"),
    [
        pytest.param(OPEN_FIELD, 3, "c5-d6", "S7", ["c5", "d6"], id="shorter than the die"),
        pytest.param(OPEN_FIELD, 3, "c5-e7", "S7", ["c5", "e7"], id="longer than the die"),
        pytest.param(OPEN_FIELD, 1, "c5-d6", "S7", ["d6"], id="diagonal"),
        pytest.param(OPEN_FIELD, 1, "c5-c6", "S1", ["c6"], id="onto an opponent"),
        pytest.param(OPEN_FIELD, 1, "c5-b5", "S1", ["b5"], id="onto another opponent"),
        pytest.param(OPEN_FIELD, 2, "c5-c7", "S7", ["c7"], id="through an opponent"),
        pytest.param(NARROW, 2, "h3-f3", "S7", ["f3"], id="through a team-mate"),
        pytest.param(OPEN_FIELD, 2, "g0-e0", "S7", ["e0"], id="into a goal from the side"),
        pytest.param(OPEN_FIELD, 1, "e1-e0", "S7", ["e0"], id="into a goal from the front"),
        pytest.param(OPEN_FIELD, 5, "g0-b0", "S7", ["b0"], id="through a goal"),
        pytest.param(OPEN_FIELD, 2, "h4-h4", "S7", ["h4"], id="back to where it began"),
        pytest.param(NARROW, 3, "a4-a5", "S7", ["a5"], id="through where it began"),
        pytest.param(OPEN_FIELD, 1, "c6-c7", "S7", ["c6"], id="of an opponent"),
        pytest.param(OPEN_FIELD, 1, "f5-f6", "S7", ["f5"], id="of nobody"),
        pytest.param(OPEN_FIELD, 3, "h4-g6", "S8", ["g6"], id="to the ball without a kick"),
        pytest.param(BALL_IN_THE_WAY, 2, "a5-c5", "S8", ["b5"], id="through the ball"),
        pytest.param(OPEN_FIELD, 1, "c5-d5>d6", "S8", ["d5"], id="with a kick, but not to the ball"),
    ],
)
def test_s7_and_s8_refuse_a_walk(diagram, die, move, rule, words):
    refuses(position(diagram, dice=die), move, rule, *words)
