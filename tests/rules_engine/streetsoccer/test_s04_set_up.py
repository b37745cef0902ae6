"""S4 the set-up: board (all five) and online (three, two stand already)."""

import pytest

from rules_engine.registry import get_game
from tests.rules_engine.diagrams import accepts, drawn, position, refuses

BOTH_PLACED = """
    10  . . . R . . . .
     8  . . r . . . r .
     7  . . . . . y . .
     6  . . . r . . . .
     5  . . . . y . . .
     4  . r y . . . . .
     2  . . . . . y . .
     1  . . . . Y . . .
"""


def start(preset="board"):
    state = get_game(f"streetsoccer-{preset}").start()
    return state if preset == "board" else state.play("5").play("2")


def test_s4_board_yellow_places_all_five_and_then_red():
    shown = drawn(BOTH_PLACED)
    state = start()
    for space in shown.yellow.split(","):
        assert state.turn == "yellow"
        state = accepts(state, f"@{space}")
    for space in shown.red.split(","):
        assert state.turn == "red"
        state = accepts(state, f"@{space}")

    assert state == position(BOTH_PLACED, phase="kick-off", side="-", dice="?")
    assert state == start().play(f"@{shown.yellow}").play(f"@{shown.red}")


def test_s4_board_the_goalie_starts_on_one_of_their_own_keeper_spaces():
    assert sorted(start().legal_moves()) == ["@d1", "@e1"]
    refuses(start(), "@d2", "S4", "d2")
    refuses(start(), "@d10", "S4", "d10")
    refuses(start().play("@d1,d5,c4,c5,g7"), "@e1", "S4", "e1")


@pytest.mark.parametrize(
    ("set_up", "rule", "word"),
    [
        ("@e1,c5,c4,f2,f7", "S4", "centre circle"),
        ("@e1,e5,f7,f8,f9", "S4", "own half"),
        ("@e1,e5,c4,c3,f5", "S4", "opponent's half"),
        ("@e1,e5,d6,c4,f7", "S4", "d6"),
        ("@e1,e5,a4,c4,f7", "S4", "a4"),
        ("@e1,e5,d1,c4,f7", "S15", "d1"),
        ("@e1,e5,d10,c4,f7", "S15", "d10"),
        ("@e1,e5,d2,e2,f7", "S16", "e2"),
    ],
)
def test_s4_board_refuses_a_set_up(set_up, rule, word):
    refuses(start(), set_up, rule, word)


def test_s4_online_two_stand_already_and_each_places_three():
    state = start("online")
    assert str(state) == "set-up 1.1 yellow 3 d1,d5 e10,e6 - 0-0 -"
    for space in ("c3", "g7", "b10"):
        assert state.turn == "yellow"
        state = accepts(state, f"@{space}")
    assert state.turn == "red"
    state = state.play("@c4,c7,e8")

    assert str(state) == "kick-off 1.1 yellow 3 d1,d5,c3,g7,b10 e10,e6,c4,c7,e8 - 0-0 -"


@pytest.mark.parametrize(
    ("set_up", "rule", "word"),
    [
        ("@e5,c3,g7", "S4", "e5"),
        ("@d6,c3,g7", "S4", "d6"),
        ("@c3,c4,c5", "S4", "opponent's half"),
        ("@e1,c4,c7", "S15", "e1"),
        ("@d2,e2,c7", "S16", "e2"),
        ("@d5,c4,c7", "S1", "d5"),
        ("@h7,c4,c7", "S4", "h7"),
    ],
)
def test_s4_online_refuses_a_set_up(set_up, rule, word):
    refuses(start("online"), set_up, rule, word)


def test_s4_red_keeps_to_the_same_rules():
    state = start("online").play("@c3,c4,c7")

    refuses(state, "@d9,e9,c5", "S16", "e9")
    refuses(state, "@c6,b7,b8", "S4", "opponent's half")
    refuses(state, "@c7", "S1", "c7")


@pytest.mark.parametrize(
    ("placed", "task"),
    [
        ("@e1,e5,c4", "Place player 4."),
        ("@e1,c5,c4,f7", "Place player 5 in your part of the centre circle: your team needs a player there."),
        ("@e1,e5,c4,c3", "Place player 5 in the opponent's half: your team needs a player there."),
        ("@e1,e5,f7,f8", "Place player 5 in your own half: your team needs a player there."),
        (
            "@e1,c5,c4",
            (
                "Place player 4 in your part of the centre circle or in the opponent's half: "
                "your team needs players there."
            ),
        ),
    ],
)
def test_s4_board_says_why_only_few_spaces_are_left(placed, task):
    state = start()
    for space in placed.removeprefix("@").split(","):
        state = state.play(f"@{space}")
    assert state.task == task
    halves = {"own": set(range(1, 6)), "opponent's": set(range(6, 11))}
    ranks = {int(move[2:]) for move in state.legal_moves()}
    for half, wanted in halves.items():
        if f"in the {half} half" in task or f"in your {half} half" in task:
            assert ranks <= wanted or " or " in task
