"""S9 to S13 the kick."""

import pytest

from tests.rules_engine.diagrams import accepts, position, refuses

ALONE = """
    11  . . . = = . . .
    10  . . . . R . . r
     9  . . . . . . . .
     8  . . . . . . . .
     7  . . . . . . . .
     6  . . . . . . . r
     5  . . y o . . . .
     4  . . . . . . . r
     3  . . . . . . . .
     2  . . . . . . . r
     1  y . . . Y . . .
     0  y . y = = . . .
"""
"""Nobody is near the ball but the yellow player on c5."""

TWO_STEPS_AWAY = """
    11  . . . = = . . .
    10  . . . . R . . r
     9  . . . . . . . .
     8  . . . . . . . .
     7  . . . . . . . .
     6  . . . . . . . r
     5  . . y . o . . .
     4  . . . . . . . r
     3  . . . . . . . .
     2  . . . . . . . r
     1  y . . . Y . . .
     0  y . y = = . . .
"""

BENT = """
    11  . . . = = . . .
    10  . . . R . . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . . . r . . . .
     6  . . . . r . . .
     5  . . y o . . . .
     4  . . . . r . . r
     3  . . . . . . . .
     2  . . . . . . . .
     1  y . . . Y . . y
     0  y . . = = . . .
"""
"""By d6 and e7 to e8 the ball would turn twice, and every other way is closed."""

OPPONENTS = """
    11  . . . = = . . .
    10  . . . R . . . .
     9  . . . . . . . .
     8  . . . r . . . .
     7  . . . . . . . .
     6  . . . r . . . .
     5  . . y o r . . .
     4  . . . r . . . .
     3  . . . . . . . .
     2  . . . . . . . .
     1  y . . . Y . . y
     0  y . . = = . . .
"""

PASSES = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . . . . . y . .
     6  . . r . . . . .
     5  . r y o . y . .
     4  . . r . . . . .
     3  . . . . . . . .
     2  . . . . . . . r
     1  . . . . Y . . .
     0  y . . = = . . .
"""
"""The yellow player on c5 has one way to the ball, so the kick is as long as the die."""

NEIGHBOURS = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . . . . . . . .
     6  . . r . . y . .
     5  . r y o y . . .
     4  . . r . . . . .
     3  . . . . . . . .
     2  . . . . . . . r
     1  . . . . Y . . .
     0  y . . = = . . .
"""


@pytest.mark.parametrize(("die", "target"), [(1, "d6"), (2, "d7"), (3, "d8"), (4, "d9"), (5, "d10")])
def test_s9_the_kick_is_what_the_walk_left_and_one_more(die, target):
    after = accepts(position(ALONE, dice=die), f"c5-d5>{target}")

    assert str(after).split()[6] == target


def test_s9_a_longer_walk_shortens_the_kick():
    state = position(TWO_STEPS_AWAY, dice=2)

    accepts(state, "c5-e5>e6")
    refuses(state, "c5-e5>e7", "S9", "e7")


@pytest.mark.parametrize("target", ["d7", "f7", "f5", "f3", "d3", "b3", "b5", "b7"])
def test_s10_a_kick_goes_in_eight_directions(target):
    accepts(position(ALONE, dice=2), f"c5-d5>{target}")


@pytest.mark.parametrize("target", ["e8", "f8", "c8", "b8", "g6", "g4", "f2"])
def test_s10_a_kick_may_change_direction_once_by_45_degrees(target):
    accepts(position(ALONE, dice=3), f"c5-d5>{target}")


def test_s10_a_second_change_of_direction_is_too_many():
    accepts(position(BENT, dice=3), "c5-d5>c8")
    refuses(position(BENT, dice=3), "c5-d5>e8", "S11", "e8")


@pytest.mark.parametrize("target", ["d5", "e5", "e6", "c4"])
def test_s10_a_change_by_more_than_45_degrees_is_too_much(target):
    assert f"c5-d5>{target}" not in position(ALONE, dice=2).legal_moves()


@pytest.mark.parametrize(("die", "target"), [(4, "h5"), (4, "h9"), (5, "c0"), (5, "f0"), (3, "a5")])
def test_s10_the_ball_stays_inside_the_lines(die, target):
    refuses(position(ALONE, dice=die), f"c5-d5>{target}", "S10", target)


def test_s10_the_ball_passes_diagonally_between_two_players():
    accepts(position(OPPONENTS, dice=1), "c5-d5>e6")
    accepts(position(OPPONENTS, dice=2), "c5-d5>f3")


def test_s11_the_ball_never_enters_a_space_with_an_opponent():
    state = position(OPPONENTS, dice=1)

    refuses(state, "c5-d5>d6", "S11", "d6")
    refuses(state, "c5-d5>e5", "S11", "e5")


def test_s11_the_ball_never_flies_over_an_opponent():
    refuses(position(OPPONENTS, dice=2), "c5-d5>d7", "S11", "d7")
    refuses(position(OPPONENTS, dice=4), "c5-d5>d9", "S11", "d9")


def test_s12_a_player_in_the_way_plays_it_on_one_space_further():
    state = position(PASSES, dice=2)

    accepts(state, "c5-d5>g5")

    assert state.route("c5-d5>g5").kick == ("d5", "e5", "f5", "g5")
    assert state.route("c5-d5>g5").touches == ("f5",)


def test_s12_a_player_who_plays_it_on_is_free_in_direction_and_in_one_change():
    state = position(PASSES, dice=3)

    accepts(state, "c5-d5>f3")
    accepts(state, "c5-d5>e3")

    assert state.route("c5-d5>f3").touches == ("f5",)
    assert state.route("c5-d5>e3").touches == ("f5",)


def test_s12_several_players_may_touch_it():
    state = position(PASSES, dice=3)

    accepts(state, "c5-d5>f6")

    assert set(state.route("c5-d5>f6").touches) == {"f5", "f7"}


def test_s12_the_kicker_too_may_play_it_on_from_the_new_place():
    state = position(PASSES, dice=3)

    accepts(state, "c5-d5>c5")

    assert state.route("c5-d5>c5").touches == ("f5", "d5")


@pytest.mark.parametrize("target", ["f5", "f4", "d6", "g7", "f7", "g5"])
def test_s12_neighbours_pass_without_loss(target):
    accepts(position(NEIGHBOURS, dice=1), f"c5-d5>{target}")


def test_s12_the_ball_never_ends_on_an_own_player():
    refuses(position(PASSES, dice=2), "c5-d5>f5", "S12", "f5")


def test_s12_the_ball_never_ends_on_the_kicker():
    refuses(position(PASSES, dice=2), "c5-d5>d5", "S12", "d5")


def test_s13_the_whole_length_is_used():
    state = position(PASSES, dice=2)

    accepts(state, "c5-d5>d7")
    refuses(state, "c5-d5>d6", "S13", "d6")
    refuses(state, "c5-d5>d8", "S9", "d8")


def test_s13_the_space_that_the_kicker_left_is_free():
    accepts(position(ALONE, dice=1), "c5-d5>c5")
