"""S9 to S13 the kick."""

import pytest

from tests.rules_engine.diagrams import accepts, position, refuses

ALONE = """
    10  . . . . R . . r
     6  . . . . . . . r
     5  . . y o . . . .
     4  . . . . . . . r
     2  . . . . . . . r
     1  y . . . Y . . .
     0  . . y = = . . .
"""
"""Nobody is near the ball but the yellow player on c5."""

TWO_STEPS_AWAY = """
    10  . . . . R . . r
     6  . . . . . . . r
     5  . . y . o . . .
     4  . . . . . . . r
     2  . . . . . . . r
     1  y . . . Y . . .
     0  . . y = = . . .
"""

BENT = """
    10  . . . R . . . .
     7  . . . r . . . .
     6  . . . . r . . .
     5  . . y o . . . .
     4  . . . . r . . r
     1  . . . . Y . . .
"""
"""By d6 and e7 to e8 the ball would turn twice, and every other way is closed."""

OPPONENTS = """
    10  . . . R . . . .
     8  . . . r . . . .
     6  . . . r . . . .
     5  . . y o r . . .
     4  . . . r . . . .
     1  . . . . Y . . .
"""

PASSES = """
    10  . . . . R . . .
     7  . . . . . y . .
     6  . . r . . . . .
     5  . r y o . y . .
     4  . . r . . . . .
     2  . . . . . . . r
     1  . . . . Y . . .
"""
"""The yellow player on c5 has one way to the ball, so the kick is as long as the die."""


@pytest.mark.parametrize(("die", "target"), [(1, "d6"), (2, "d7"), (3, "d8"), (4, "d9"), (5, "d10")])
def test_s9_the_kick_is_what_the_walk_left_and_one_more(die, target):
    after = accepts(position(ALONE, dice=die), f"c5-d5>{target}")

    assert str(after).split()[6] == target


@pytest.mark.parametrize(
    ("diagram", "die", "kick", "rule"),
    [
        pytest.param(TWO_STEPS_AWAY, 2, "c5-e5>e7", "S9", id="longer than the walk leaves"),
        pytest.param(PASSES, 2, "c5-d5>d8", "S9", id="too long"),
        pytest.param(PASSES, 2, "c5-d5>d6", "S13", id="too short"),
        pytest.param(ALONE, 4, "c5-d5>h5", "S10", id="across the sideline"),
        pytest.param(ALONE, 4, "c5-d5>h9", "S10", id="diagonally across the sideline"),
        pytest.param(ALONE, 5, "c5-d5>c0", "S10", id="across the end line"),
        pytest.param(ALONE, 5, "c5-d5>f0", "S10", id="across the end line beside the goal"),
        pytest.param(ALONE, 3, "c5-d5>a5", "S10", id="across the other sideline"),
        pytest.param(BENT, 3, "c5-d5>e8", "S11", id="by two changes of direction"),
        pytest.param(OPPONENTS, 1, "c5-d5>d6", "S11", id="onto an opponent"),
        pytest.param(OPPONENTS, 1, "c5-d5>e5", "S11", id="onto another opponent"),
        pytest.param(OPPONENTS, 2, "c5-d5>d7", "S11", id="over an opponent"),
        pytest.param(OPPONENTS, 4, "c5-d5>d9", "S11", id="over two opponents"),
        pytest.param(PASSES, 2, "c5-d5>f5", "S12", id="onto a team-mate"),
        pytest.param(PASSES, 2, "c5-d5>d5", "S12", id="onto the kicker"),
    ],
)
def test_s9_to_s13_refuse_a_kick(diagram, die, kick, rule):
    refuses(position(diagram, dice=die), kick, rule, kick.split(">")[1])


@pytest.mark.parametrize(
    ("die", "target", "touches"),
    [(2, "g5", {"f5"}), (3, "f3", {"f5"}), (3, "e3", {"f5"}), (3, "f6", {"f5", "f7"}), (3, "c5", {"f5", "d5"})],
)
def test_s12_players_in_the_way_play_it_on_in_any_direction_the_kicker_too(die, target, touches):
    state = position(PASSES, dice=die)

    accepts(state, f"c5-d5>{target}")

    assert set(state.route(f"c5-d5>{target}").touches) == touches
