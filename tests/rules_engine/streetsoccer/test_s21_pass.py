"""S21 when nothing is legal."""

import pytest

from tests.rules_engine.diagrams import accepts, position, refuses

BOXED_IN = """
    10  . . . . R . . .
     6  . . . r . . . .
     5  . . . . o . . .
     2  r r . . . . . .
     1  y y r . . . . .
     0  Y y y = = . . .
"""

ONE_WAY_OUT = """
    10  . . . . R . . .
     6  . . . r . . . .
     5  . . . . o . . .
     3  r . . . . . . .
     2  . r . . . . . .
     1  y y r . . . . .
     0  Y y y = = . . .
"""

GOALIE_SURROUNDED = """
    10  . . y R . . . .
     9  . . y y y Y . .
     6  . . . r . . . .
     5  . . . . . . r .
     3  . . . . r . . .
     2  . . . . . r . .
"""
"""From d10 the ball gets to e10, f10, g10 or g9 and not further; from e10 even less far."""

SHUT_IN = """
    11  y . . = = . . y
    10  . . . . R . . .
     3  . . . . . . . Y
     2  . . . r r . . .
     1  . . r . . r . .
     0  . . . = = . . y
"""
"""Yellow's goalie will have no way out of d1 and e1, and no other player of that side is beside the pitch (S20)."""

ROOM_BESIDE_THE_GOAL = """
    11  y . . = = . . y
     3  . . . . . . . Y
     2  . . . r r r . .
     1  . . r . . . R .
     0  . . . = = . . y
"""
"""From d1 a 2 gets to f1, where both sides have a way to the ball. Wherever else the ball gets, Yellow has none."""


def restart(preset):
    state = position(
        GOALIE_SURROUNDED,
        phase="restart",
        side="red",
        preset=preset,
        dice="-" if preset == "board" else "?",
        score="1-0",
        last_scorer="yellow",
    )
    return state.play("@d10") if preset == "board" else state


def shut_in(diagram, preset="board", dice="-"):
    return position(diagram, phase="restart", preset=preset, dice=dice, clock="5.1", score="0-1", last_scorer="red")


@pytest.mark.parametrize("die", range(1, 7))
def test_s21_a_coach_without_a_legal_turn_passes_and_their_turn_is_used(die):
    state = position(BOXED_IN, dice=die, preset="online")

    assert list(state.legal_moves()) == ["pass"]
    after = state.play("pass")

    assert str(after) == str(position(BOXED_IN, side="red", dice="?", preset="online"))


def test_s21_nobody_passes_while_a_turn_is_legal():
    state = position(ONE_WAY_OUT, dice=1, preset="online")

    assert list(state.legal_moves()) == ["a1-a2"]
    refuses(state, "pass", "S21", "pass")
    assert list(position(ONE_WAY_OUT, dice=2, preset="online").legal_moves()) == ["pass"]


@pytest.mark.parametrize("preset", ["board", "online"])
@pytest.mark.parametrize("die", ["4", "5", "6"])
def test_s21_a_restart_without_a_legal_end_is_rolled_again(preset, die):
    state = restart(preset)

    assert state.play(die) == state
    accepts(state.play("3"), ">g10" if preset == "board" else "@d10>g10")


@pytest.mark.parametrize(
    ("keeper", "kicks"),
    [
        ("@d1", {"2": ">b2 >f2 >b3 >c3", "3": ">g3 >b4 >c4", "4": ">b5 >c5", "5": ">b6 >c6", "6": ">b7 >c7"}),
        ("@e1", {"2": ">c2 >g2 >f3 >g3", "3": ">b3 >f4 >g4", "4": ">f5 >g5", "5": ">f6 >g6", "6": ">f7 >g7"}),
    ],
)
def test_s21_enclosure_does_not_bind_a_restart_that_no_number_could_play(keeper, kicks):
    state = accepts(shut_in(SHUT_IN), keeper)

    assert {die: " ".join(state.play(die).legal_moves()) for die in kicks} == kicks
    assert state.play("1") == state


def test_s21_enclosure_binds_again_after_such_a_restart():
    state = shut_in(SHUT_IN).play("@d1").play("4").play(">c5").play("2")

    refuses(state, "e10-e8", "S20", "path")
    accepts(state, "c1-b2")


def test_s21_enclosure_binds_a_restart_that_another_number_could_play():
    state = shut_in(ROOM_BESIDE_THE_GOAL).play("@d1")

    assert list(state.play("2").legal_moves()) == [">f1"]
    refuses(state.play("2"), ">c3", "S20", "path")
    assert [die for die in "123456" if state.play(die) == state] == ["1", "3", "4", "5", "6"]
