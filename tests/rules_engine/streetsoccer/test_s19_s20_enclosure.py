"""S19 and S20, the rules against enclosing the ball."""

import pytest

from tests.rules_engine.diagrams import accepts, position, refuses

FENCE = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . . . r . . . .
     6  . . . . . . . .
     5  . . . . . r . .
     4  . y . . . . . .
     3  . . . . . . . .
     2  r . y . . . . .
     1  . o . Y . . . y
     0  y . . = = . r .
"""
"""With b3 Yellow's fence from b3 by c2 to d1 would be closed; Red's player on a2 is inside."""

FENCE_OF_BOTH = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . . . y . . . .
     6  . . . . . . . .
     5  . . . . . r . .
     4  . y . . . . . .
     3  . . . . . . . .
     2  r . r . . . . .
     1  . o . Y . . . y
     0  y . . = = . r .
"""

BALL_BEHIND_THE_FENCE = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . . . r . . . .
     6  . . . . . . . .
     5  . . . . . r . .
     4  . . . . . . . .
     3  . y o y . . . .
     2  r . y . . . . .
     1  . . . Y . . . .
     0  y . . = = . r .
"""
"""The fence stands already; the ball is still in front of it."""

POCKET = """
    11  . . . = = . . .
    10  . . . R . . . .
     9  . . r o . . . .
     8  . r . y . . . .
     7  . . . . . . . .
     6  . . . . . . . .
     5  . . . . . r . .
     4  . . . . . . . .
     3  . . . . . . . .
     2  . . . . . . . .
     1  y . . . Y . . y
     0  y . . = = . r .
"""
"""Behind Red's players there is a pocket of b9, b10 and c10, and Yellow is outside it."""

POCKET_WITH_A_GUEST = """
    11  . . . = = . . .
    10  . . . R . . . .
     9  y . r o . . . .
     8  . r . y . . . .
     7  . . . . . . . .
     6  . . . . . . . .
     5  . . . . . r . .
     4  . . . . . . . .
     3  . . . . . . . .
     2  . . . . . . . .
     1  y . . . Y . . y
     0  . . . = = . r .
"""

LAST_ONE_AT_THE_POCKET = """
    11  . . . = = . . .
    10  . o . R . . . .
     9  y . r . . . . .
     8  . r . y . . . .
     7  . . . . . . . .
     6  . . . . . . . .
     5  . . . . . r . .
     4  . . . . . . . .
     3  . . . . . . . .
     2  . . . . . . . .
     1  y . . . Y . . y
     0  . . . = = . r .
"""

SHUT_IN = """
    11  r . . = = . . r
    10  . r . . . . . .
     9  . y . y . . . .
     8  . . . . . . . .
     7  . . . . . . . .
     6  . . . . . . y .
     5  . . . . o . . .
     4  . . . . . . . .
     3  . . . y . . . .
     2  . . . . . . . .
     1  . . . . Y . . .
     0  R . . = = . . r
"""
"""With c10 Yellow would shut in the only red player who has a way to the ball."""


def test_s19_a_walk_may_not_close_an_area_of_two_borderlines():
    refuses(position(FENCE, dice=1), "b4-b3", "S19", "borderlines")


def test_s19_a_gap_is_enough():
    accepts(position(FENCE, dice=1), "b4-b5")
    accepts(position(FENCE, dice=2), "b4-c3")


def test_s19_opponents_are_no_part_of_the_fence():
    accepts(position(FENCE_OF_BOTH, dice=1), "b4-b3")


def test_s19_a_kick_may_not_take_the_ball_behind_the_own_fence():
    state = position(BALL_BEHIND_THE_FENCE, dice=1)

    refuses(state, "d3-c3>b2", "S19", "borderlines")
    accepts(state, "d3-c3>d2")


def test_s19_a_coach_who_finds_the_ball_behind_their_own_fence_has_to_open_it():
    state = position(FENCE.replace("4  . y .", "4  . . .").replace("3  . .", "3  . y"), dice=1)

    refuses(state, "h1-h2", "S19", "borderlines")
    accepts(state, "b3-b4")


def test_s20_the_ball_may_not_go_where_no_player_of_the_team_has_a_way_to_it():
    state = position(POCKET, dice=1)

    refuses(state, "d8-d9>c10", "S20", "path")
    accepts(state, "d8-d9>c8")


def test_s20_the_first_space_of_the_way_may_lie_outside_the_lines():
    accepts(position(POCKET_WITH_A_GUEST, dice=1), "d8-d9>c10")


def test_s20_a_walk_may_not_leave_the_team_without_a_way():
    refuses(position(LAST_ONE_AT_THE_POCKET, dice=1), "a9-a8", "S20", "path")
    accepts(position(LAST_ONE_AT_THE_POCKET, dice=1), "a9-a10")


def test_s20_the_opponent_needs_a_way_too():
    refuses(position(SHUT_IN, dice=2), "d9-c10", "S20", "path")
    accepts(position(SHUT_IN, dice=3), "d9-c9")


@pytest.mark.parametrize(
    ("diagram", "move"), [(FENCE, "b4-b3"), (POCKET, "d8-d9>c10"), (LAST_ONE_AT_THE_POCKET, "a9-a8")]
)
def test_s19_and_s20_are_not_in_force_online(diagram, move):
    accepts(position(diagram, dice=1, preset="online"), move)
