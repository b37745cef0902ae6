"""S18 after a goal."""

import pytest

from tests.rules_engine.diagrams import accepts, position, refuses

YELLOW_SCORED = """
    11  . . . = = . . .
    10  . . . . . . . .
     9  . . . . . . r .
     8  . . . y . y . .
     7  . . . . . . . .
     6  . . . . R . . .
     5  . r . . . . . .
     4  . . y . . . y .
     3  . . . . r . . .
     2  . . r . . . . .
     1  . . . . Y . . .
     0  . . . = = . . .
"""

RED_BRINGS_IT_BACK = """
    11  . . . = = . . .
    10  . . . . R . . .
     9  . . . . . . r .
     8  . . . y . y . .
     7  . . . . . . . .
     6  . . . . . . . .
     5  . r . . . . . .
     4  . . y . . . y .
     3  . . . . r . . .
     2  . . r . . . . .
     1  . . . . Y . . .
     0  . . . = = . . .
"""

WITHIN_REACH = """
    11  . . . = = . . .
    10  . . . . . . . .
     9  . . . R . . . .
     8  . y . . r . y .
     7  . . . . . . . .
     6  . . . . r . . .
     5  . . . . . . . .
     4  . . y . r . y .
     3  . . . . . . . .
     2  . . . . r . . .
     1  . . . . . . . Y
     0  . . . = = . . .
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


def test_s18_board_the_goalie_alone_is_placed():
    refuses(restart(YELLOW_SCORED), "@e10,d10", "S18", "more players")


def test_s18_online_the_die_comes_first_and_both_are_chosen_in_one_move():
    state = restart(YELLOW_SCORED, "online", "?")
    assert state.turn == "chance"

    state = state.play("3")

    assert {move.split(">")[0] for move in state.legal_moves()} == {"@d10", "@e10"}
    after = accepts(state, "@e10>e7")
    assert str(after).split()[5].startswith("e10,")
    refuses(state, ">e7", "S18")


@pytest.mark.parametrize(("keeper", "word"), [("d9", "d9"), ("e1", "e1"), ("e6", "e6")])
def test_s18_the_goalie_goes_to_one_of_their_own_keeper_spaces(keeper, word):
    refuses(restart(YELLOW_SCORED), f"@{keeper}", "S18", word)
    refuses(restart(YELLOW_SCORED, "online", "3"), f"@{keeper}>e7", "S18", word)


@pytest.mark.parametrize("preset", ["board", "online"])
def test_s18_a_one_is_rolled_again(preset):
    state = restart(YELLOW_SCORED, preset, "-" if preset == "board" else "?")
    state = state.play("@e10") if preset == "board" else state

    assert state.play("1") == state
    assert state.play("2").turn == "red"


def test_s18_the_kick_is_exactly_as_long_as_the_die():
    state = restart(YELLOW_SCORED).play("@e10").play("2")

    accepts(state, ">e8")
    refuses(state, ">e9", "S13", "e9")
    refuses(state, ">e7", "S9", "e7")


def test_s18_the_kick_obeys_the_rules_of_a_kick():
    state = restart(YELLOW_SCORED).play("@d10").play("2")

    refuses(state, ">d8", "S11", "d8")
    refuses(state, ">h10", "S10", "h10")


def test_s18_players_of_the_own_side_play_it_on():
    state = restart(YELLOW_SCORED).play("@e10").play("2")

    accepts(state, ">f10")

    assert state.route(">f10").touches == ("g9",)


@pytest.mark.parametrize(("preset", "move"), [("board", ">goal"), ("online", "@e10>goal")])
def test_s18_a_goal_is_allowed(preset, move):
    state = restart(WITHIN_REACH, preset, "-" if preset == "board" else "6")
    state = state.play("@e10").play("6") if preset == "board" else state

    after = accepts(state, move)

    assert tuple(after.score) == (2, 2)
    assert str(after).startswith("restart 4.1 yellow")


def test_s18_the_other_goalie_stays_where_they_are():
    after = accepts(restart(WITHIN_REACH), "@d10")

    assert str(after).split()[4].startswith("h1,")
