"""Diagrams of the rules T7 to T12: the set, free balls, passes, dribbles, battles, shots."""

import pytest

from rules_engine.values import Nature, Side
from tests.rules_engine.soccer_tactics.diagrams import accepts, position, refuses, roll

OPEN = """
    13 .  .  .  R3 .  .  .  .
    9  .  .  .  .  .  .  R6 .
    8  .  .  .  Y10o . .  .  .
    7  .  .  .  .  .  .  .  .
    6  .  .  Y7 .  .  Y8 .  .
"""


def phase(state):
    """Return what comes next and whose the ball is."""
    return state.phase.value, state.side.value


def test_t7_another_pawn_than_the_holder_moves_first_and_then_the_ball():
    state = position(OPEN, dice=2)
    refuses(state, "d8-d10", "T7", "has the ball")
    moved = accepts(state, "f6-f8")
    assert (phase(moved), moved.turn) == (("ball", "yellow"), Nature.CHANCE)


def test_t7_on_a_one_a_field_player_may_dribble_one_square():
    state = position(OPEN, "ball", 1)
    dribbled = accepts(state, "=e9")
    assert (phase(dribbled), dribbled.turn) == (("attempt", "yellow"), Side.RED)
    assert str(dribbled).split()[8] == "e9"
    refuses(state, "=e10", "T7", "one square")
    refuses(position(OPEN, "ball", 2), "=e9", "T7", "only on a 1")
    refuses(position("6 . . Y10 Y7o . . . .", "ball", 1), "=c6", "T3", "own pawn")
    refuses(position("8 . . Y10 Y3o . . . .", "ball", 1), "=d9", "T5", "own half")
    refuses(position(OPEN, "ball", 1, restart="free-kick", kicker=10), "=e9", "T7", "takes a kick")
    refuses(position("8 . . . Y1o . . . .", "ball", 2), "=d7", "T7", "keeper")


FREE_BALL = """
    13 .  .  .  R3 .  .  .  .
    10 .  .  .  o  .  .  .  .
    9  .  .  .  .  .  .  R6 .
    8  .  .  .  Y10 .  .  .  .
    6  .  .  Y7 .  .  Y8 .  .
"""


def test_t8_the_passer_may_reach_a_free_ball_and_d_has_an_attempt():
    reached = accepts(position(FREE_BALL, "free", 2), "d8-d10")
    assert (phase(reached), reached.turn) == (("attempt", "yellow"), Side.RED)
    assert phase(roll(reached, "roll", "3", "g9-d10")) == ("battle", "yellow")
    assert phase(roll(reached, "e16-e15")) == ("move", "yellow")


def test_t8_after_ten_rounds_another_minute_begins_or_none_is_left():
    tenth = position(FREE_BALL, "attempt", 1, count=9).play("g9-g10")
    assert (tenth.minute, tenth.count, phase(tenth)) == (6, 0, ("free", "yellow"))
    last = position(FREE_BALL, "attempt", 1, count=9, clock="1.25").play("g9-g10")
    assert (last.half, phase(last)) == (2, ("kick-off", "red"))
    ninth = position(FREE_BALL, "attempt", 1, count=8, clock="1.25").play("g9-g10")
    assert (ninth.half, ninth.count) == (1, 9)


BEFORE_GOAL = """
    16 .  R2 .  .  R1 .  .  .
    14 .  .  .  Y6 .  .  .  .
    13 .  Y7 Y8 .  .  Y9 .  .
    12 .  .  Y10o . .  .  .  .
"""


@pytest.mark.parametrize(("number", "target", "follows"), [(2, "d14", "shot"), (1, "c13", "shot"), (1, "b13", "ball")])
def test_t9_a_direct_pass_in_the_attacked_area_or_on_a_long_shot_square_is_a_shot(number, target, follows):
    assert position(BEFORE_GOAL, "ball", number).play(f">{target}").phase == follows


def test_t10_a_capture_in_the_attacked_area_is_a_shot_unless_d_reaches_it():
    reached = position("16 . R2 . . R1 . . .\n14 . . o . . . . .\n12 . . Y10 . . . . .", "free", 2).play("c12-c14")
    assert reached.turn is Side.RED
    assert phase(reached.play("e16-e15")) == ("shot", "yellow")
    assert phase(roll(reached, "roll", "2", "b16-c14")) == ("battle", "yellow")


MIDFIELD = "11 . . . Y10{red}o . . . ."


@pytest.mark.parametrize(
    ("red", "dice", "winner"),
    [
        ("R9", "3-2", "yellow"),
        ("R9", "2-3", "red"),
        ("R2", "4-2", "yellow"),
        ("R2", "2-2", "red"),
        ("R1", "5-4", "red"),
        ("R1", "3-2", "red"),
    ],
)
def test_t11_the_higher_total_wins_defenders_adding_one_and_keepers_two(red, dice, winner):
    assert position(MIDFIELD.format(red=red), "battle").play(dice).side == winner


def test_t11_equal_totals_are_rolled_again():
    battle = position(MIDFIELD.format(red="R2"), "battle")
    assert battle.play("3-2") == battle


def test_t11_in_the_advanced_presets_defenders_add_two():
    battle = position(MIDFIELD.format(red="R2"), "battle", preset="-advanced")
    assert battle.play("4-2") == battle
    assert battle.play("4-3").side == "red"


def test_t11_o_beating_the_keeper_shoots_anywhere():
    assert phase(position(MIDFIELD.format(red="R1"), "battle").play("6-3")) == ("shot", "yellow")


def test_t11_it_is_one_roll_of_36_outcomes():
    rolls = position(MIDFIELD.format(red="R2"), "battle").chance()
    assert len(rolls) == 36
    assert {str(each.probability) for each in rolls} == {"1/36"}


def test_t12_a_shot_is_a_goal_a_corner_or_a_goal_kick():
    shot = position("14 . . . Y10o . . . .\n13 . . . . . R2 . .", "shot")
    assert [(each.text, str(each.probability)) for each in shot.chance()] == [
        ("goal", "1/2"),
        ("corner", "1/4"),
        ("goal-kick", "1/4"),
    ]
    scored = shot.play("goal")
    assert (tuple(scored.score), phase(scored)) == ((1, 0), ("kick-off", "red"))
    assert phase(shot.play("corner")) == ("corner", "yellow")
    assert phase(shot.play("goal-kick")) == ("goal-kick", "red")
