"""S15 the keeper spaces, S16 the penalty area, S17 the shift."""

import pytest

from tests.rules_engine.diagrams import accepts, position, refuses

KEEPER_SPACES = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . y . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . o . . . .
     4  . . . . . . . r
     3  . . . Y . . . .
     2  . . . . . . . .
     1  . . . . . y . y
     0  y . . = = . . .
"""

GOALIE_UP_FRONT = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . Y . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . o . . . .
     4  . . . . . . . r
     3  . . . . y . . .
     2  . . . . . . . .
     1  . . . . . y . y
     0  y . . = = . . .
"""

PENALTY_AREA = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . o . . . .
     4  . . . . . . . .
     3  . . . . Y . . .
     2  . . . y . y r .
     1  . . . . . . . y
     0  y . . = = . . .
"""

BALL_IN_THE_PENALTY_AREA = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . . . . . .
     4  . . . . . . . .
     3  . . . . Y . . .
     2  . . . y o y r .
     1  . . . . . . . y
     0  y . . = = . . .
"""

AWAY_IS_FREE = """
    11  . . . = = . . .
    10  . . . . o . . .
     9  . . . R . . . .
     8  . . . . y . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . . . . . .
     4  . . . . . . . r
     3  . . . . . . . .
     2  . . . . . . . .
     1  y . . . Y . . y
     0  y . . = = . . .
"""

AWAY_IS_TAKEN = """
    11  . . . = = . . .
    10  . . . . o y . .
     9  . . . . R . . .
     8  . . . . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . . . . . .
     4  . . . . . . . r
     3  . . . . . . . .
     2  . . . . . . . .
     1  y . . . Y . . y
     0  y . . = = . . .
"""

NEAREST_SIDE_IS_TAKEN = """
    11  . . . = = . . .
    10  . . . . o r . .
     9  . . . y R . . .
     8  . . . . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . . . . . .
     4  . . . . . . . .
     3  . . . . . . . .
     2  . . . . . . . .
     1  y . . . Y . . y
     0  y . . = = . . .
"""

NOWHERE = """
    11  . . . = = . . .
    10  . . r . o r . .
     9  . . . y R . . .
     8  . . . . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . . . . . . . .
     4  . . . . . . . .
     3  . . . . . . . .
     2  . . . . . . . .
     1  y . . . Y . . y
     0  y . . = = . . .
"""

ONLY_AWAY = """
    11  . . . = = . . .
    10  . . r . o r . .
     9  . . . y . . . .
     8  . . . . . . . .
     7  . r . . . . R .
     6  . . . . . . r .
     5  . . . . . . . .
     4  . . . . . . . .
     3  . . . . . . . .
     2  . . . . . . . .
     1  y . . . Y . . y
     0  y . . = = . . .
"""

OWN_AREA_FULL = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . . . . . .
     4  . . . . . . . r
     3  . . . . . . . .
     2  . . . . y Y . .
     1  y y . o . . . y
     0  . . . = = . . .
"""

GOALIE_KICKS = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . . . . . .
     4  . . . . . . . r
     3  . . . . . . . .
     2  . . . Y . y . .
     1  y y . o . . . y
     0  . . . = = . . .
"""

GOALIE_KICKS_UP_FRONT = """
    11  . . . = = . . .
    10  . . . o R . . .
     9  . . . . . . . .
     8  . . . Y . . . .
     7  . r . . . . . .
     6  . . . . . . r .
     5  . r . . . . . .
     4  . . . . . . . r
     3  . . . . . . . .
     2  . . . . . y . .
     1  y y . . . . . y
     0  . . . = = . . .
"""


def yellows(state):
    return str(state).split()[4].split(",")


def test_s15_a_goalie_may_end_on_a_keeper_space_of_their_own_side():
    accepts(position(KEEPER_SPACES, dice=2), "d3-d1")


def test_s15_an_outfielder_may_not_end_on_a_keeper_space():
    refuses(position(KEEPER_SPACES, dice=1), "f1-e1", "S15", "e1")
    refuses(position(KEEPER_SPACES, dice=2), "d8-d10", "S15", "d10")


def test_s15_a_goalie_may_not_end_on_the_opponents_keeper_spaces():
    refuses(position(GOALIE_UP_FRONT, dice=2), "d8-d10", "S15", "d10")


def test_s15_walking_across_is_allowed():
    accepts(position(KEEPER_SPACES, dice=3), "f1-c1")


def test_s16_a_second_outfielder_may_not_end_in_their_own_penalty_area():
    refuses(position(PENALTY_AREA, dice=1), "f2-e2", "S16", "e2")


def test_s16_the_first_outfielder_may_end_there():
    accepts(position(PENALTY_AREA.replace("y . y r .", ". . y r y"), dice=1), "f2-e2")


def test_s16_the_only_one_there_may_walk_within_it():
    accepts(position(PENALTY_AREA, dice=1), "d2-e2")


def test_s16_goalie_and_opponents_do_not_count():
    accepts(position(PENALTY_AREA, dice=1), "e3-e2")
    accepts(position(PENALTY_AREA.replace("y r .", "r y ."), side="red", dice=1), "f2-e2")


def test_s16_a_kicker_ends_where_they_kick():
    state = position(BALL_IN_THE_PENALTY_AREA, dice=1)

    refuses(state, "f2-e2>f1", "S16", "e2")
    accepts(state, "d2-e2>f1")


def test_s17_the_kicker_on_a_keeper_space_is_shifted_away_from_the_goal():
    after = accepts(position(AWAY_IS_FREE, dice=2), "e8-e10>f10")

    assert "e9" in yellows(after)


def test_s17_next_towards_the_nearest_sideline():
    after = accepts(position(AWAY_IS_TAKEN, dice=1), "f10-e10>d9")

    assert "f10" in yellows(after)


def test_s17_last_two_spaces_towards_the_other_sideline():
    after = accepts(position(NEAREST_SIDE_IS_TAKEN, dice=2), "d9-e10>f9")

    assert "c10" in yellows(after)


def test_s17_without_any_of_the_three_the_move_is_illegal():
    refuses(position(NOWHERE, dice=2), "d9-e10>f9", "S17", "e10")


def test_s17_the_ball_takes_a_space_too():
    after = accepts(position(AWAY_IS_FREE, dice=2), "e8-e10>e9")

    assert "f10" in yellows(after)


def test_s17_the_ball_may_take_the_only_space():
    state = position(ONLY_AWAY, dice=2)

    assert "e9" in yellows(accepts(state, "d9-e10>f9"))
    refuses(state, "d9-e10>e9", "S17", "ball")


def test_s17_the_shift_obeys_the_penalty_area():
    after = accepts(position(OWN_AREA_FULL, dice=2), "b1-d1>e1")

    assert "c1" in yellows(after)
    assert "d2" not in yellows(after)


def test_s17_a_goalie_stays_on_their_own_keeper_space():
    after = accepts(position(GOALIE_KICKS, dice=1), "d2-d1>e1")

    assert yellows(after)[0] == "d1"


def test_s17_a_goalie_is_shifted_from_the_opponents_keeper_space():
    after = accepts(position(GOALIE_KICKS_UP_FRONT, dice=2), "d8-d10>c10")

    assert yellows(after)[0] == "d9"


def test_s17_the_kicker_is_shifted_after_a_goal_too():
    after = accepts(position(AWAY_IS_FREE, dice=2), "e8-e10>goal")

    assert "e9" in yellows(after)


@pytest.mark.parametrize("preset", ["board", "online"])
def test_s15_to_s17_hold_in_both_presets(preset):
    refuses(position(KEEPER_SPACES, dice=1, preset=preset), "f1-e1", "S15", "e1")
    refuses(position(PENALTY_AREA, dice=1, preset=preset), "f2-e2", "S16", "e2")
    assert "e9" in yellows(accepts(position(AWAY_IS_FREE, dice=2, preset=preset), "e8-e10>f10"))


def test_s17_the_route_names_the_shift():
    assert position(AWAY_IS_FREE, dice=2).route("e8-e10>f10").shift == "e9"
    assert position(GOALIE_KICKS, dice=1).route("d2-d1>e1").shift is None
