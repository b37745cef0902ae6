"""S19 and S20, the rules against enclosing the ball."""

import pytest

from tests.rules_engine.diagrams import accepts, position, refuses

FENCE = """
    10  . . . . R . . .
     7  . . . r . . . .
     5  . . . . . r . .
     4  . y . . . . . .
     2  r . y . . . . .
     1  . o . Y . . . .
     0  . . . = = . r .
"""
"""With b3 Yellow's fence from b3 by c2 to d1 would be closed; Red's player on a2 is inside."""


BALL_BEHIND_THE_FENCE = """
    10  . . . . R . . .
     7  . . . r . . . .
     5  . . . . . r . .
     3  . y o y . . . .
     2  r . y . . . . .
     1  . . . Y . . . .
     0  . . . = = . r .
"""
"""The fence stands already; the ball is still in front of it."""

POCKET = """
    10  . . . R . . . .
     9  . . r o . . . .
     8  . r . y . . . .
     5  . . . . . r . .
     1  . . . . Y . . .
     0  . . . = = . r .
"""
"""Behind Red's players there is a pocket of b9, b10 and c10, and Yellow is outside it."""


LAST_ONE_AT_THE_POCKET = """
    10  . o . R . . . .
     9  y . r . . . . .
     8  . r . y . . . .
     5  . . . . . r . .
     1  y . . . Y . . y
     0  . . . = = . r .
"""

SHUT_IN = """
    11  r . . = = . . r
    10  . r . . . . . .
     9  . y . y . . . .
     6  . . . . . . y .
     5  . . . . o . . .
     3  . . . y . . . .
     1  . . . . Y . . .
     0  R . . = = . . r
"""
"""With c10 Yellow would shut in the only red player who has a way to the ball."""


CLOSED = FENCE.replace("4  . y", "3  . y")
"""Yellow's fence is closed by b3."""


@pytest.mark.parametrize(
    ("diagram", "die", "move", "rule", "word"),
    [
        pytest.param(FENCE, 1, "b4-b3", "S19", "borderlines", id="a walk that closes the fence"),
        pytest.param(BALL_BEHIND_THE_FENCE, 1, "d3-c3>b2", "S19", "borderlines", id="a kick behind the fence"),
        pytest.param(CLOSED, 1, "h1-h2", "S19", "borderlines", id="a fence that is left closed"),
        pytest.param(POCKET, 1, "d8-d9>c10", "S20", "path", id="a kick to where nobody of the team gets"),
        pytest.param(LAST_ONE_AT_THE_POCKET, 1, "a9-a8", "S20", "path", id="a walk away from the last way"),
        pytest.param(SHUT_IN, 2, "d9-c10", "S20", "path", id="a walk that shuts in the opponents"),
    ],
)
def test_s19_and_s20_refuse_what_encloses_the_ball_but_not_online(diagram, die, move, rule, word):
    refuses(position(diagram, dice=die), move, rule, word)
    accepts(position(diagram, dice=die, preset="online"), move)
