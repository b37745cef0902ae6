"""S21 when nothing is legal."""

import pytest

from tests.rules_engine.diagrams import accepts, position, refuses

BOXED_IN = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . . . . . . . .
     6  . . . r . . . .
     5  . . . . o . . .
     4  . . . . . . . .
     3  . . . . . . . .
     2  r r . . . . . .
     1  y y r . . . . .
     0  Y y y = = . . .
"""

ONE_WAY_OUT = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . . .
     8  . . . . . . . .
     7  . . . . . . . .
     6  . . . r . . . .
     5  . . . . o . . .
     4  . . . . . . . .
     3  r . . . . . . .
     2  . r . . . . . .
     1  y y r . . . . .
     0  Y y y = = . . .
"""

GOALIE_SURROUNDED = """
    11  . . . = = . . .
    10  . . y R . . . .
     9  . . y y y Y . .
     8  . . . . . . . .
     7  . . . . . . . .
     6  . . . r . . . .
     5  . . . . . . r .
     4  . . . . . . . .
     3  . . . . r . . .
     2  . . . . . r . .
     1  . . . . . . . .
     0  . . . = = . . .
"""
"""From d10 the ball gets to e10, f10, g10 or g9 and not further; from e10 even less far."""


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


@pytest.mark.parametrize("die", range(1, 7))
def test_s21_a_coach_without_a_legal_turn_passes_and_his_turn_is_used(die):
    state = position(BOXED_IN, dice=die, preset="online")

    assert list(state.legal_moves()) == ["pass"]
    after = state.play("pass")

    assert str(after) == str(position(BOXED_IN, side="red", dice="?", preset="online"))


def test_s21_nobody_passes_while_a_turn_is_legal():
    state = position(ONE_WAY_OUT, dice=1, preset="online")

    assert list(state.legal_moves()) == ["a1-a2"]
    refuses(state, "pass", "S21", "pass")


def test_s21_the_die_decides_whether_a_turn_is_legal():
    assert list(position(ONE_WAY_OUT, dice=2, preset="online").legal_moves()) == ["pass"]


def test_s21_a_pass_is_the_only_move_when_enclosure_forbids_all_others():
    assert list(position(BOXED_IN, dice=1, preset="board").legal_moves()) == ["pass"]


@pytest.mark.parametrize("preset", ["board", "online"])
@pytest.mark.parametrize("die", ["4", "5", "6"])
def test_s21_a_restart_without_a_legal_end_is_rolled_again(preset, die):
    state = restart(preset)

    assert state.play(die) == state


@pytest.mark.parametrize("preset", ["board", "online"])
def test_s21_a_restart_with_a_legal_end_is_played(preset):
    state = restart(preset).play("3")

    assert state.turn == "red"
    accepts(state, ">g10" if preset == "board" else "@d10>g10")
