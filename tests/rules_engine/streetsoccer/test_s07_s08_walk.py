"""S7 the walk, S8 the ball in its way."""

import pytest

from tests.rules_engine.diagrams import accepts, position, refuses

OPEN_FIELD = """
    11  . . . = = . . .
    10  . . . R . . . .
     9  . . . . . . . .
     8  . . . . . r . .
     7  . . . . . . . .
     6  . . r . . . o .
     5  . r y . . . . .
     4  . . r . . . . y
     3  . . . . . . . .
     2  . y . . . . . .
     1  . . . . Y . . .
     0  . . . = = . y .
"""
"""The yellow player on c5 has one way out, by d5."""

NARROW = """
    11  . . . = = . . .
    10  . . . R . . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . . . . . . . .
     6  r . . . . o . .
     5  . r . . . . . .
     4  y r . . . . . .
     3  . y . . . . y y
     2  r . . . . . . .
     1  . . . . Y . . .
     0  . . . = = . . .
"""
"""The yellow player on a4 has a3 and a5 and nothing else."""

BALL_IN_THE_WAY = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . r . . . . . .
     6  r . . . . . . .
     5  y o . . . . . .
     4  r . . . . . . y
     3  . . . . . . . .
     2  . . r . . y . .
     1  . . . . Y . y .
     0  . . . = = . . .
"""
"""The yellow player on a5 meets the ball with the first step, whichever number is rolled."""


def test_s7_the_walk_has_exactly_the_length_of_the_die():
    state = position(OPEN_FIELD, dice=3)

    accepts(state, "c5-d7")
    refuses(state, "c5-d6", "S7", "c5", "d6")
    refuses(state, "c5-e7", "S7", "c5", "e7")


def test_s7_a_walk_is_orthogonal():
    state = position(OPEN_FIELD, dice=1)

    accepts(state, "c5-d5")
    refuses(state, "c5-d6", "S7", "d6")


@pytest.mark.parametrize(("move", "closed"), [("c5-c6", "c6"), ("c5-b5", "b5")])
def test_s7_a_walk_ends_on_a_free_space(move, closed):
    refuses(position(OPEN_FIELD, dice=1), move, "S1", closed)


def test_s7_a_walk_goes_through_free_spaces_only():
    state = position(OPEN_FIELD, dice=2)

    refuses(state, "c5-c7", "S7", "c7")
    refuses(state, "c5-c3", "S7", "c3")


def test_s7_players_of_the_own_side_are_in_the_way_too():
    refuses(position(NARROW, dice=2), "h3-f3", "S7", "f3")


def test_s7_a_player_may_walk_outside_the_lines():
    state = position(OPEN_FIELD, dice=2)

    accepts(state, "h4-h6")
    accepts(state, "b2-a1")
    accepts(state, "g0-h1")


def test_s7_nobody_walks_through_a_goal_or_into_it():
    refuses(position(OPEN_FIELD, dice=2), "g0-e0", "S7", "e0")
    refuses(position(OPEN_FIELD, dice=1), "e1-e0", "S7", "e0")
    refuses(position(OPEN_FIELD, dice=5), "g0-b0", "S7", "b0")


def test_s7_a_space_may_be_entered_twice():
    accepts(position(OPEN_FIELD, dice=3), "c5-d5")


def test_s7_the_space_where_the_walk_began_may_not_be_entered_again():
    refuses(position(OPEN_FIELD, dice=2), "h4-h4", "S7", "h4")
    refuses(position(NARROW, dice=3), "a4-a5", "S7", "a5")
    refuses(position(NARROW, dice=3), "a4-a3", "S7", "a3")


def test_s7_exactly_one_of_the_own_players_moves():
    state = position(OPEN_FIELD, dice=1)

    refuses(state, "c6-c7", "S7", "c6")
    refuses(state, "f5-f6", "S7", "f5")


def test_s8_a_player_who_enters_the_space_of_the_ball_must_kick():
    state = position(OPEN_FIELD, dice=3)

    accepts(state, "h4-g6>g7")
    refuses(state, "h4-g6", "S8", "g6")


def test_s8_nobody_walks_through_the_ball():
    state = position(BALL_IN_THE_WAY, dice=2)

    assert not [move for move in state.legal_moves() if move.startswith("a5-") and ">" not in move]
    refuses(state, "a5-c5", "S8", "b5")


def test_s8_a_kick_wants_a_walk_to_the_ball():
    refuses(position(OPEN_FIELD, dice=1), "c5-d5>d6", "S8", "d5")
