"""Diagrams of the rules T1 to T6: teams, limits, how pawns and the ball move."""

from rules_engine.soccer_tactics import GAMES
from rules_engine.soccer_tactics.board import HALVES, NAMES, NUMBERS, PENALTY_AREAS
from rules_engine.soccer_tactics.paths import ball_ends
from rules_engine.values import Nature, Side
from tests.rules_engine.soccer_tactics.diagrams import accepts, ends, position, refuses, squares

KICK_OFF = GAMES[0].start().play("1").play("2")
FREE = {"phase": "free"}


def test_t1_a_long_shot_is_taken_in_the_other_sides_half_only():
    there = "13 . . Y10 . . R3 . .\n10 . . Y11o . . . . ."
    assert position(there, "ball", 3).play(">c13").phase.value == "shot"
    own = "9 . . . . . R3 . .\n7 . . Y11o . . . . .\n4 . . Y10 . . . . ."
    assert position(own, "ball", 3).play(">c4").phase.value == "ball"


def test_t2_all_but_strikers_and_keepers_stand_where_they_belong():
    assert squares(KICK_OFF) == {
        "Y2": "b4", "Y3": "d4", "Y4": "e4", "Y5": "g4", "Y6": "a6", "Y7": "c6", "Y8": "f6", "Y9": "h6",
        "R2": "b13", "R3": "d13", "R4": "e13", "R5": "g13", "R6": "a11", "R7": "c11", "R8": "f11", "R9": "h11",
    }  # fmt: skip


def test_t3_no_fifth_pawn_in_a_row():
    row = position(
        """
        8  .  Y6 Y7 .  Y8 Y9 .  .
        7  .  .  .  Y10 .  .  .  o
        """,
        **FREE,
        dice=1,
    )
    refuses(row, "d7-d8", "T3", "more than 4", "row")
    accepts(row, "d7-c7")


def test_t3_no_fourth_pawn_in_a_column():
    column = position(
        """
        8  .  Y6 .  .  .  .  .  .
        7  Y10 .  .  .  .  .  .  o
        6  .  Y7 .  .  .  .  .  .
        5  .  Y8 .  .  .  .  .  .
        """,
        **FREE,
        dice=1,
    )
    refuses(column, "a7-b7", "T3", "more than 3", "column")
    accepts(column, "a7-a8")


def test_t3_no_fifth_field_player_in_a_penalty_area_but_the_keeper():
    area = position(
        """
        4  .  .  .  .  .  .  .  o
        3  .  .  Y6 .  Y8 .  .  .
        2  .  Y10 .  Y7 .  Y9 .  .
        1  .  .  .  .  .  .  .  .
        """,
        **FREE,
        dice=1,
    )
    refuses(area, "b2-c2", "T3", "penalty area", "4")
    accepts(area, "d2-c2")


def test_t3_no_second_pawn_in_a_goal_area_the_keeper_included():
    near = position("2 . . . . Y10 . . o", **FREE, dice=1)
    refuses(near, "e2-e1", "T3", "goal area")
    accepts(near, "e2-d2")


FREE_PAWN = """
    9  .  .  .  .  .  .  .  .
    8  .  .  .  .  .  .  .  .
    7  .  .  .  .  .  .  .  .
    6  .  .  .  Y10 .  .  .  .
    5  .  .  .  .  .  .  .  .
    4  .  .  .  .  .  .  .  o
"""


def test_t4_a_pawn_goes_exactly_the_die_with_one_change_of_direction_but_not_straight_back():
    state = position(FREE_PAWN, **FREE, dice=2)
    reached = ends(state, "d6")
    ring = {f"{column}{row}" for column in "bcdef" for row in (4, 8)} | {f"{c}{r}" for c in "bf" for r in (5, 6, 7)}
    beside = {f"{column}{row}" for column in "cde" for row in (5, 6, 7)} - {"d6"}
    assert reached == ring | beside
    refuses(state, "d6-d6", "T4", "cannot reach")
    refuses(state, "d6-d9", "T4", "cannot reach d9 with a 2")


def test_t4_through_own_pawns_but_not_onto_them():
    state = position("4 Y10 Y7 . . . . . o\n3 . . . . . . . .", **FREE, dice=3)
    assert "d4" in ends(state, "a4")
    refuses(state, "b4-a4", "T4", "cannot reach")
    refuses(position("4 Y10 . Y7 . . . . o", **FREE, dice=2), "a4-c4", "T3", "your own pawn")


def test_t4_it_passes_only_if_nobody_can_move():
    state = position("4 o . . . . . . .", **FREE, dice=3)
    assert state.legal_moves() == ["pass"]
    assert state.task.code == "task_no_pawn"
    assert state.play("pass").turn is Side.RED
    refuses(position("4 Y10 . . o . . . .", **FREE, dice=3), "pass", "T4", "only when none")


def test_t5_defenders_stay_in_their_half_on_the_way_too():
    state = position(
        """
        9  .  .  .  .  .  .  .  o
        8  .  .  R6 Y3 R7 .  .  .
        7  .  .  R8 R9 R10 .  .  .
        """,
        **FREE,
        dice=2,
    )
    assert ends(state, "d8") == {"c8", "e8", "c7", "d7", "e7"}
    refuses(state, "d8-d10", "T5", "own half")


def test_t5_the_keeper_is_not_moved_by_a_die():
    refuses(position("4 Y10 . . o . . . .", **FREE, dice=3), "d1-d4", "T5", "never moves the keeper")


def test_t5_before_the_roll_of_an_attempt_the_keeper_may_move_a_square_instead():
    state = position("9 . . . . Y10 . . o\n8 . . . . . . . R9", "attempt", "-")
    assert ends(state, "e16") == {"d16", "f16", "d15", "e15", "f15"}
    assert state.legal_moves()[0] == "roll"
    accepts(state, "e16-e15")
    refuses(state, "e16-e14", "T5", "one square")
    refuses(state, "h8-h9", "T5", "only the keeper")
    assert "e16-e15" not in state.play("roll").play("1").legal_moves()


def test_t5_the_keeper_does_not_leave_the_half():
    state = position("9 . . . . R1 . . o\n8 . . . . . . . Y10", "attempt", "-")
    refuses(state, "e9-e8", "T5", "own half")
    accepts(state, "e9-f10")


def test_t6_the_ball_goes_exactly_the_die_and_never_back():
    state = position("8 . . . Y10o . . . .", "ball", 2)
    played = {move[1:] for move in state.legal_moves()}
    assert played == {
        "b6", "b7", "b8", "b9", "b10", "c6", "c10", "d6", "d10", "e6", "e10", "f6", "f7", "f8", "f9", "f10",
        "c7", "c9", "e7", "e9",
    }  # fmt: skip
    refuses(state, ">d9", "T6", "exactly 2 squares")
    refuses(position("8 . . . Y10o . . . .", "ball", 4), ">d10", "T6", "exactly 4 squares")


def test_t6_the_keeper_plays_it_with_the_sum_of_two_dice():
    state = position("2 . . . . Y1o . . .", "ball")
    assert state.turn is Nature.CHANCE
    assert [(roll.text, int(36 * roll.probability)) for roll in state.chance()][::5] == [("2", 1), ("7", 6), ("12", 1)]
    accepts(state.play("12"), ">e14")


def test_t6_every_number_has_an_exact_way_so_that_none_is_ever_rolled_again():
    for square in NAMES:
        assert all(ball_ends(square, number) for number in range(1, 7))
        assert all(ball_ends(square, number) for number in range(2, 13) if HALVES.yellow >> square & 1)
    for name in ("d1", "e1"):
        assert all(ball_ends(NUMBERS[name], number) & ~PENALTY_AREAS.yellow for number in range(2, 13))
    for name in ("d8", "e8"):
        assert all(ball_ends(NUMBERS[name], number) & HALVES.red for number in range(1, 13))
