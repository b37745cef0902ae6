"""S15 the keeper spaces, S16 the penalty area, S17 the shift."""

import pytest

from tests.rules_engine.diagrams import accepts, position, refuses

KEEPER_SPACES = """
    10  . . . . R . . .
     8  . . . y . . . .
     5  . . . o . . . .
     3  . . . Y . . . .
     1  . . . . . y . .
"""

GOALIE_UP_FRONT = """
    10  . . . . R . . .
     8  . . . Y . . . .
     5  . . . o . . . .
     3  . . . . y . . .
     1  . . . . . y . .
"""

PENALTY_AREA = """
    10  . . . . R . . .
     5  . . . o . . . .
     3  . . . . Y . . .
     2  . . . y . y r .
"""

BALL_IN_THE_PENALTY_AREA = """
    10  . . . . R . . .
     3  . . . . Y . . .
     2  . . . y o y r .
"""

AWAY_IS_FREE = """
    10  . . . . o . . .
     9  . . . R . . . .
     8  . . . . y . . .
     1  . . . . Y . . .
"""

AWAY_IS_TAKEN = """
    10  . . . . o y . .
     9  . . . . R . . .
     1  . . . . Y . . .
"""

NEAREST_SIDE_IS_TAKEN = """
    10  . . . . o r . .
     9  . . . y R . . .
     1  . . . . Y . . .
"""

NOWHERE = """
    10  . . r . o r . .
     9  . . . y R . . .
     1  . . . . Y . . .
"""

ONLY_AWAY = """
    10  . . r . o r . .
     9  . . . y . . . .
     7  . . . . . . R .
     1  . . . . Y . . .
"""

OWN_AREA_FULL = """
    10  . . . . R . . .
     2  . . . . y Y . .
     1  y y . o . . . y
"""

GOALIE_KICKS = """
    10  . . . . R . . .
     2  . . . Y . y . .
     1  y y . o . . . y
"""

GOALIE_KICKS_UP_FRONT = """
    10  . . . o R . . .
     8  . . . Y . . . .
     2  . . . . . y . .
     1  y y . . . . . y
"""


@pytest.mark.parametrize(
    ("diagram", "die", "move", "rule", "word"),
    [
        pytest.param(KEEPER_SPACES, 1, "f1-e1", "S15", "e1", id="outfielder on an own keeper space"),
        pytest.param(KEEPER_SPACES, 2, "d8-d10", "S15", "d10", id="outfielder on the opponent's"),
        pytest.param(GOALIE_UP_FRONT, 2, "d8-d10", "S15", "d10", id="goalie on the opponent's"),
        pytest.param(PENALTY_AREA, 1, "f2-e2", "S16", "e2", id="second outfielder in the penalty area"),
        pytest.param(BALL_IN_THE_PENALTY_AREA, 1, "f2-e2>f1", "S16", "e2", id="kicker in the penalty area"),
        pytest.param(NOWHERE, 2, "d9-e10>f9", "S17", "e10", id="kicker with nowhere to be shifted to"),
        pytest.param(ONLY_AWAY, 2, "d9-e10>e9", "S17", "ball", id="the ball on the only space of the shift"),
    ],
)
@pytest.mark.parametrize("preset", ["board", "online"])
def test_s15_to_s17_refuse_a_place(diagram, die, move, rule, word, preset):
    refuses(position(diagram, dice=die, preset=preset), move, rule, word)


@pytest.mark.parametrize(
    ("diagram", "die", "move", "landed", "shift"),
    [
        pytest.param(AWAY_IS_FREE, 2, "e8-e10>f10", "e9", "e9", id="away from the goal"),
        pytest.param(AWAY_IS_FREE, 2, "e8-e10>goal", "e9", "e9", id="after a goal too"),
        pytest.param(AWAY_IS_FREE, 2, "e8-e10>e9", "f10", "f10", id="the ball takes a space too"),
        pytest.param(AWAY_IS_TAKEN, 1, "f10-e10>d9", "f10", "f10", id="next towards the nearest sideline"),
        pytest.param(NEAREST_SIDE_IS_TAKEN, 2, "d9-e10>f9", "c10", "c10", id="last two spaces to the other side"),
        pytest.param(OWN_AREA_FULL, 2, "b1-d1>e1", "c1", "c1", id="not into a full penalty area"),
        pytest.param(GOALIE_KICKS_UP_FRONT, 2, "d8-d10>c10", "d9", "d9", id="a goalie up front"),
        pytest.param(GOALIE_KICKS, 1, "d2-d1>e1", "d1", None, id="a goalie at home stays"),
    ],
)
def test_s17_a_kicker_on_a_keeper_space_is_shifted(diagram, die, move, landed, shift):
    state = position(diagram, dice=die)
    start = move.split("-")[0]
    before, after = (str(each).split()[4].split(",") for each in (state, accepts(state, move)))

    assert after == [landed if space == start else space for space in before]
    assert state.route(move).shift == shift
