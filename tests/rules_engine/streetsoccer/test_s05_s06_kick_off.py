"""S5 the kick-off number, S6 the kick-off."""

from fractions import Fraction

import pytest

from rules_engine.registry import get_game
from tests.rules_engine.diagrams import accepts, position, refuses

KICK_OFF = """
    10  . . . . R . . .
     8  . . . . . y . .
     7  . . r . . . . .
     6  . . . . r . . .
     5  . . . y . . . .
     4  . . . . . . r .
     3  . . y . . . r .
     2  . . . . . y . .
     1  . . . . Y . . .
"""

TWO_IN_THE_CIRCLE = """
    10  . . . . R . . .
     8  . . . . . . y .
     6  . . . . r . . .
     5  . . . y y . . .
     4  . . r . . . . .
     2  . . . . . y . .
     1  . . . . Y . . .
"""


def test_s5_each_die_has_six_faces_of_the_same_probability():
    state = position(KICK_OFF, phase="kick-off", side="-", dice="?")

    assert [(roll.text, roll.probability) for roll in state.chance()] == [
        (str(face), Fraction(1, 6)) for face in range(1, 7)
    ]


@pytest.mark.parametrize(
    ("yellow", "red", "side", "number"),
    [("6", "2", "yellow", 4), ("2", "6", "red", 4), ("6", "1", "yellow", 5), ("3", "4", "red", 1)],
)
def test_s5_board_the_higher_roller_kicks_off_the_difference(yellow, red, side, number):
    state = position(TWO_IN_THE_CIRCLE, phase="kick-off", side="-", dice="?")

    state = state.play(yellow)
    assert str(state).startswith(f"kick-off 1.1 - {yellow}? ")

    assert str(state.play(red)).startswith(f"kick-off 1.1 {side} {number} ")


@pytest.mark.parametrize(
    "state",
    [position(KICK_OFF, phase="kick-off", side="-", dice="?"), get_game("streetsoccer-online").start()],
    ids=["board", "online"],
)
def test_s5_equal_dice_are_rolled_again(state):
    assert state.play("4").play("4") == state


@pytest.mark.parametrize(("yellow", "red", "number"), [("6", "2", 4), ("2", "6", 4), ("3", "4", 1)])
def test_s5_online_yellow_kicks_off_whichever_side_rolls_higher(yellow, red, number):
    state = get_game("streetsoccer-online").start().play(yellow).play(red)
    assert str(state).startswith(f"set-up 1.1 yellow {number} ")

    state = state.play("@c3,f2,f8").play("@c7,b4,e8")

    assert str(state).startswith(f"kick-off 1.1 yellow {number} ")


def test_s6_the_ball_flies_exactly_the_number_from_the_circle():
    state = position(KICK_OFF, phase="kick-off", dice=2)

    after = accepts(state, ">d7")

    assert str(after).endswith(" d7 0-0 -")
    assert str(after).startswith("play 1.2 red ?")


@pytest.mark.parametrize(
    ("diagram", "number", "move", "rule", "word"),
    [
        pytest.param(KICK_OFF, 2, ">d6", "S13", "d6", id="too short"),
        pytest.param(KICK_OFF, 2, ">d8", "S9", "d8", id="too long"),
        pytest.param(KICK_OFF, 1, ">d7", "S9", "d7", id="one more, as after a walk"),
        pytest.param(KICK_OFF, 2, "c3-c5", "S6", "", id="a player moves"),
        pytest.param(KICK_OFF, 5, ">goal", "S6", "score", id="a goal"),
        pytest.param(TWO_IN_THE_CIRCLE, 1, ">f3", "S9", "f3", id="from elsewhere"),
    ],
)
def test_s6_no_other_kick_off_is_allowed(diagram, number, move, rule, word):
    refuses(position(diagram, phase="kick-off", dice=number), move, rule, word)


def test_s6_the_ball_starts_at_either_player_in_the_circle():
    assert {">c5", ">f6"} <= set(position(TWO_IN_THE_CIRCLE, phase="kick-off", dice=1).legal_moves())
