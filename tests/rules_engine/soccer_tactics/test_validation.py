"""Positions that no match can come to are refused, each with what is wrong; rare ones that can are not."""

import pytest

from rules_engine.errors import InvalidNotation
from rules_engine.soccer_tactics import GAMES
from tests.rules_engine.soccer_tactics.diagrams import position, roll, squares

START = str(GAMES[0].start())
KICK_OFF = str(roll(GAMES[0].start(), "2", "5", "@d8"))
TEAMS = "d1,b4,d4,e4,g4,a6,c6,f6,h6,d8,e8 d16,b13,d13,e13,g13,a11,c11,f11,h11,d9,a9"
HELD = f"move 1.5 yellow ? {TEAMS} 1-1 -/- e8 - - 0 -/- 0-0 yellow 0-0/0"
FREE = HELD.replace("move", "free").replace(" e8 ", " e9 ")
CORNER = HELD.replace("move", "corner").replace("?", "-").replace(" e8 -", " a16 corner").replace("e8 d16", "a16 d16")
SHOOT_OUT = HELD.replace("move 1.5", "shoot-out 5.0").replace("-/- e8", "-/- -")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (START.replace("1.0", "1.1"), "fault_toss"),
        (START.replace(" - ?", " - 7?"), "fault_toss"),
        (HELD.replace("c6,f6", "c6,c6"), "fault_shared_square"),
        (HELD.replace("1-1", "2-1"), "fault_keeper"),
        (HELD.replace("e8 d16", "- d16"), "fault_waiting"),
        (HELD.replace("d1,b4", "d1,b9"), "fault_half"),
        (HELD.replace("d1,b4", "d9,b4"), "fault_half"),
        (HELD.replace("c6", "e1"), "fault_goal_area"),
        (HELD.replace("c6", "x"), "fault_cards"),
        (HELD.replace("-/-", "3/-", 1), "fault_cards"),
        (HELD.replace("-/-", "d/-", 1), "fault_cards"),
        (HELD.replace("0-0 yellow", "0-0 -"), "fault_nobody"),
        (HELD.replace("1.5 yellow", "1.5 -"), "fault_nobody"),
        (HELD.replace("move 1.5 yellow ?", "over 2.25 - -"), "fault_ending"),
        (HELD.replace("1.5", "5.5"), "fault_period"),
        (HELD.replace("1.5", "1.0"), "fault_minute"),
        (HELD.replace("1.5", "1.26"), "fault_minute"),
        (HELD.replace("0-0/0", "1-0/1"), "fault_shoot_out"),
        (SHOOT_OUT.replace("0-0/0", "0-1/1"), "fault_shoot_out"),
        (SHOOT_OUT.replace("0-0/0", "3-0/6"), "fault_shoot_out"),
        (SHOOT_OUT.replace("0-0 y", "1-0 y"), "fault_shoot_out"),
        (HELD.replace("?", "-"), "fault_dice"),
        (HELD.replace("?", "3?"), "fault_dice"),
        (HELD.replace("?", "9"), "fault_number"),
        (HELD.replace("move", "ball").replace("?", "9"), "fault_number"),
        (SHOOT_OUT.replace("-/- - -", "-/- e8 -"), "fault_ball_out"),
        (HELD.replace(" e8 -", " - -"), "fault_no_ball"),
        (HELD.replace(" e8 -", " e7 -"), "fault_not_held"),
        (HELD.replace("move", "battle"), "fault_opponent_on_ball"),
        (FREE.replace(" e9 ", " e8 "), "fault_ball_held"),
        (HELD.replace("move", "penalty"), "fault_penalty"),
        (HELD.replace(" -/- 0-0", " 6/- 0-0"), "fault_placed"),
        (HELD.replace(" - 0 ", " - 1 "), "fault_count"),
        (HELD.replace("- - 0", "corner 11 0"), "fault_restart"),
        (FREE.replace("- - 0", "corner - 0"), "fault_restart"),
        (HELD.replace("move", "ball").replace("- - 0", "free-kick 9 0"), "fault_kicker"),
        (HELD.replace("move", "ball").replace("- - 0", "goal-kick 11 0"), "fault_kicker"),
        (HELD.replace("move", "ball").replace("- - 0", "corner 11 0"), "fault_kicker"),
        (CORNER.replace(" a16 corner", " a1 corner"), "fault_corner"),
        (CORNER.replace("- 0 -/-", "- 3 -/-"), "fault_corner"),
        (CORNER.replace("- 0 -/-", "10 3 -/-"), "fault_kicker"),
        (CORNER.replace("- 0 -/-", "11 2 6/-"), "fault_placed"),
        (KICK_OFF.replace("b4", "b5"), "fault_set_up"),
        (KICK_OFF.replace(" d8 ", " e8 "), "fault_set_up"),
    ],
)
def test_a_position_that_no_match_comes_to_is_refused(text, code):
    with pytest.raises(InvalidNotation) as refusal:
        GAMES[0].read(text)
    assert refusal.value.code == "position_impossible"
    assert refusal.value.parameters["fault"].code == code


@pytest.mark.parametrize("text", [START, KICK_OFF, HELD, FREE, CORNER, SHOOT_OUT])
def test_positions_that_the_impossible_ones_are_made_from_are_possible(text):
    assert str(GAMES[0].read(text)) == text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("move", "tactics_position_form"),
        (HELD.replace("c6", "c17"), "unknown_square"),
        (HELD.replace("-/- e8", "7,6/- e8"), "position_written_otherwise"),
    ],
)
def test_a_text_that_is_not_written_as_a_position_is_refused(text, code):
    with pytest.raises(InvalidNotation) as refusal:
        GAMES[0].read(text)
    assert refusal.value.code == code


def test_a_team_of_a_keeper_alone_plays_on():
    alone = position("8 . . . Y1o . . . .\n7 R9 . . . . . . .", dice=4)
    assert alone.legal_moves() == ["pass"]
    assert alone.play("pass").chance()[-1].text == "12"


def test_the_last_pawn_stays_and_takes_kick_offs():
    fouled = position("8 . . . Y1R9o . . . .", "battle", cards=("1", "-")).play("1-6")
    assert squares(fouled) == {"Y1": "c7", "R1": "e16", "R9": "d8"}
    conceded = position("3 . . . R9o . . . .", "shot", side="red").play("goal")
    assert conceded.legal_moves() == ["@d8", "@e8"]
    kick = roll(conceded, "@d8", "@e16")
    assert (kick.phase, kick.kicker, len(kick.chance())) == ("ball", 1, 11)


def test_without_a_pawn_that_may_take_a_corner_there_is_a_goal_kick():
    shot = position("9 . . . R9 . . . .\n8 . . . . Y3o . . .", "shot").play("corner")
    assert (shot.phase, shot.side, shot.minute) == ("goal-kick", "red", 6)
