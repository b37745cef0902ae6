"""S1 the teams, S2 the minutes, S3 extra time and how a match ends."""

import pytest

from rules_engine.errors import InvalidNotation
from rules_engine.registry import get_game
from rules_engine.values import BySide, Ending, Outcome, Side
from tests.rules_engine.diagrams import accepts, position, refuses

BEFORE_REDS_GOAL = """
    10  . . . R . . . .
     9  . . . . . r . .
     8  . . . y o . . .
     4  . . y . . . y .
     3  . . . . r . . .
     1  . . . . Y . . y
"""
"""Yellow scores with a 3: ``d8-e8>goal``; with a 1 Yellow may walk from c4 to b4."""


def test_s1_two_players_never_share_a_space_of_a_set_up():
    state = get_game("streetsoccer-board").start()

    refuses(state, "@d1,d5,c4,c4,g7", "S1", "c4")


@pytest.mark.parametrize(
    ("yellow", "red"),
    [
        ("d1,c3,f5,b7", "e10,f9,c5,h6,e7"),
        ("d1,c3,f5,b7,g2,g3", "e10,f9,c5,h6,e7"),
        ("d1,c3,f5,b7,c3", "e10,f9,c5,h6,e7"),
        ("d1,c3,f5,b7,h6", "e10,f9,c5,h6,e7"),
    ],
)
def test_s1_a_position_has_five_players_a_side_on_different_spaces(yellow, red):
    with pytest.raises(InvalidNotation):
        get_game("streetsoccer-board").read(f"play 3.1 yellow 4 {yellow} {red} d5 0-0 -")


@pytest.mark.parametrize(
    ("side", "clock", "move", "then"),
    [
        ("yellow", "3.1", "c4-b4", "play 3.2 red ?"),
        ("red", "3.2", "b7-b6", "play 4.1 yellow ?"),
        ("red", "3.1", "b7-b6", "play 3.2 yellow ?"),
        ("yellow", "3.2", "c4-b4", "play 4.1 red ?"),
    ],
)
def test_s2_a_minute_is_a_turn_of_each_coach_whichever_side_kicked_off(side, clock, move, then):
    state = position(BEFORE_REDS_GOAL, side=side, clock=clock, dice=1)

    assert str(accepts(state, move)).startswith(then)


def test_s2_a_restart_is_a_turn_like_any_other():
    scored = position(BEFORE_REDS_GOAL, clock="7.1", dice=3).play("d8-e8>goal")
    assert str(scored).startswith("restart 7.2 red")

    after = scored.play("@e10").play("4").play(">e6")

    assert str(after).startswith("play 8.1 yellow ?")


@pytest.mark.parametrize(
    ("clock", "move", "score", "last_scorer", "outcome"),
    [
        ("25.2", "c4-b4", "1-2", "yellow", Outcome(Side.RED, Ending.NORMAL_TIME, BySide(1, 2))),
        ("25.2", "d8-e8>goal", "1-1", "red", Outcome(Side.YELLOW, Ending.NORMAL_TIME, BySide(2, 1))),
        ("26.1", "d8-e8>goal", "2-2", "red", Outcome(Side.YELLOW, Ending.SUDDEN_DEATH, BySide(3, 2))),
        ("30.2", "d8-e8>goal", "2-2", "red", Outcome(Side.YELLOW, Ending.SUDDEN_DEATH, BySide(3, 2))),
        ("35.2", "d8-e8>goal", "2-2", "red", Outcome(Side.YELLOW, Ending.SUDDEN_DEATH, BySide(3, 2))),
        ("35.2", "c4-b4", "2-2", "yellow", Outcome(Side.YELLOW, Ending.LAST_GOAL, BySide(2, 2))),
        ("35.2", "c4-b4", "2-2", "red", Outcome(Side.RED, Ending.LAST_GOAL, BySide(2, 2))),
        ("35.2", "c4-b4", "0-0", "-", Outcome(None, Ending.GOALLESS, BySide(0, 0))),
    ],
)
def test_s2_and_s3_a_match_ends(clock, move, score, last_scorer, outcome):
    dice = 3 if move.endswith("goal") else 1
    over = accepts(position(BEFORE_REDS_GOAL, clock=clock, dice=dice, score=score, last_scorer=last_scorer), move)

    assert (over.turn, list(over.legal_moves())) == (None, [])
    assert over.outcome == outcome


@pytest.mark.parametrize(
    ("clock", "move", "score", "last_scorer", "then"),
    [
        ("25.1", "c4-b4", "9-0", "yellow", "play 25.2 red ?"),
        ("25.2", "c4-b4", "1-1", "red", "play 26.1 red ?"),
        ("25.2", "d8-e8>goal", "0-1", "red", "restart 26.1 red"),
        ("35.1", "c4-b4", "1-1", "red", "play 35.2 red ?"),
    ],
)
def test_s2_and_s3_no_turn_but_the_last_ends_a_match_and_level_it_goes_on(clock, move, score, last_scorer, then):
    dice = 3 if move.endswith("goal") else 1
    after = accepts(position(BEFORE_REDS_GOAL, clock=clock, dice=dice, score=score, last_scorer=last_scorer), move)

    assert after.outcome is None
    assert str(after).startswith(then)


def test_s3_the_last_goal_is_the_later_one_of_this_match():
    game = get_game("streetsoccer-board")
    state = position(BEFORE_REDS_GOAL, clock="25.2", dice=3, score="0-1", last_scorer="red").play("d8-e8>goal")
    state = state.play("@d10").play("2").play(">d8")
    while state.outcome is None:
        state = state.play("1")
        state = state.play(next(move for move in state.legal_moves() if ">" not in move))

    assert state.outcome == Outcome(Side.YELLOW, Ending.LAST_GOAL, BySide(1, 1))
    assert game.read(str(state)) == state


@pytest.mark.parametrize("preset", ["board", "online"])
@pytest.mark.parametrize(
    ("outcome", "points"),
    [
        (Outcome(Side.YELLOW, Ending.NORMAL_TIME, BySide(2, 1)), BySide(5, 0)),
        (Outcome(Side.RED, Ending.NORMAL_TIME, BySide(2, 3)), BySide(0, 5)),
        (Outcome(Side.YELLOW, Ending.SUDDEN_DEATH, BySide(1, 0)), BySide(4, 1)),
        (Outcome(Side.RED, Ending.SUDDEN_DEATH, BySide(0, 1)), BySide(1, 4)),
        (Outcome(Side.YELLOW, Ending.LAST_GOAL, BySide(2, 2)), BySide(3, 2)),
        (Outcome(Side.RED, Ending.LAST_GOAL, BySide(2, 2)), BySide(2, 3)),
        (Outcome(None, Ending.GOALLESS, BySide(0, 0)), BySide(2, 2)),
        (Outcome(Side.RED, Ending.RESIGNATION, BySide(4, 0)), BySide(0, 5)),
        (Outcome(Side.YELLOW, Ending.TIMEOUT, BySide(0, 0)), BySide(5, 0)),
        (Outcome(Side.YELLOW, Ending.FORFEIT, BySide(0, 0)), BySide(5, 0)),
    ],
)
def test_match_points_follow_the_ending(preset, outcome, points):
    assert get_game(f"streetsoccer-{preset}").match_points(outcome) == points
