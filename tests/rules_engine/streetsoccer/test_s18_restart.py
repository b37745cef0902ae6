"""S18 after a goal."""

import pytest

from tests.rules_engine.diagrams import accepts, position, refuses

YELLOW_SCORED = """
     9  . . . . . . r .
     8  . . . y . y . .
     6  . . . . R . . .
     5  . r . . . . . .
     4  . . y . . . y .
     3  . . . . r . . .
     2  . . r . . . . .
     1  . . . . Y . . .
"""

RED_BRINGS_IT_BACK = """
    10  . . . . R . . .
     9  . . . . . . r .
     8  . . . y . y . .
     5  . r . . . . . .
     4  . . y . . . y .
     3  . . . . r . . .
     2  . . r . . . . .
     1  . . . . Y . . .
"""

WITHIN_REACH = """
     9  . . . R . . . .
     8  . y . . r . y .
     6  . . . . r . . .
     4  . . y . r . y .
     2  . . . . r . . .
     1  . . . . . . . Y
"""


def restart(diagram, preset="board", dice="-"):
    return position(diagram, phase="restart", side="red", preset=preset, dice=dice, score="2-1", last_scorer="yellow")


def test_s18_board_the_goalie_is_placed_first_wherever_they_stood():
    state = restart(YELLOW_SCORED)

    assert sorted(state.legal_moves()) == ["@d10", "@e10"]
    after = accepts(state, "@e10")

    assert str(after) == str(restart(RED_BRINGS_IT_BACK)).replace(" - 2-1", " e10 2-1").replace("red -", "red ?")


def test_s18_board_then_the_die_is_rolled_and_the_choice_stands():
    state = accepts(restart(YELLOW_SCORED), "@e10")
    assert state.turn == "chance"

    state = state.play("3")

    assert state.turn == "red"
    assert all(move.startswith(">") for move in state.legal_moves())
    refuses(state, "@d10", "S18")
    refuses(state, "@d10>d7", "S18")


def test_s18_online_the_die_comes_first_and_both_are_chosen_in_one_move():
    state = restart(YELLOW_SCORED, "online", "?")
    assert state.turn == "chance"

    state = state.play("3")

    assert {move.split(">")[0] for move in state.legal_moves()} == {"@d10", "@e10"}
    after = accepts(state, "@e10>e7")
    assert str(after).split()[5].startswith("e10,")
    refuses(state, ">e7", "S18")


def test_s18_the_goalie_alone_goes_to_one_of_their_own_keeper_spaces():
    refuses(restart(YELLOW_SCORED), "@e10,d10", "S18", "more players")
    for keeper in ("d9", "e1", "e6"):
        refuses(restart(YELLOW_SCORED), f"@{keeper}", "S18", keeper)
        refuses(restart(YELLOW_SCORED, "online", "3"), f"@{keeper}>e7", "S18", keeper)


@pytest.mark.parametrize("preset", ["board", "online"])
def test_s18_a_one_is_rolled_again(preset):
    state = restart(YELLOW_SCORED, preset, "-" if preset == "board" else "?")
    state = state.play("@e10") if preset == "board" else state

    assert state.play("1") == state
    assert state.play("2").turn == "red"


@pytest.mark.parametrize(
    ("keeper", "kick", "rule"),
    [("e10", ">e9", "S13"), ("e10", ">e7", "S9"), ("d10", ">d8", "S11"), ("d10", ">h10", "S10")],
)
def test_s18_the_kick_obeys_the_rules_of_a_kick_and_is_as_long_as_the_die(keeper, kick, rule):
    refuses(restart(YELLOW_SCORED).play(f"@{keeper}").play("2"), kick, rule, kick[1:])


@pytest.mark.parametrize(("preset", "move"), [("board", ">goal"), ("online", "@e10>goal")])
def test_s18_a_goal_is_allowed(preset, move):
    state = restart(WITHIN_REACH, preset, "-" if preset == "board" else "6")
    state = state.play("@e10").play("6") if preset == "board" else state

    after = accepts(state, move)

    assert tuple(after.score) == (2, 2)
    assert str(after).startswith("restart 4.1 yellow")
