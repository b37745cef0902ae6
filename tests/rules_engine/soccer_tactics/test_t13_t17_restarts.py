"""Diagrams of the rules T13 to T17: kick-off, foul and cards, goal kick, corner, off-side."""

import pytest

from rules_engine.soccer_tactics import GAMES
from rules_engine.values import Nature, Side
from tests.rules_engine.soccer_tactics.diagrams import accepts, ends, position, refuses, roll, squares

TOSS = GAMES[0].start()
PLACED = ("@d8", "@c8", "@d1", "@b9", "@g9", "@e16")


def phase(state):
    """Return what comes next and whose the ball is."""
    return state.phase.value, state.side.value


def test_t13_refusals_of_a_placing():
    state = roll(TOSS, "2", "5")
    refuses(state, "@c8", "T13", "centre circle")
    refuses(roll(state, "@d8"), "@d8", "T3", "own pawn")
    refuses(roll(state, "@d8"), "@c7", "T13", "halfway line")
    refuses(roll(state, *PLACED[:2]), "@c1", "T13", "goal area")
    refuses(roll(state, *PLACED[:3]), "@c9", "T13", "next to the ball")


def test_t13_the_ball_ends_beyond_the_halfway_line_and_nobody_dribbles():
    one = roll(TOSS, "2", "5", *PLACED, "1")
    assert one.legal_moves() == [">c9", ">d9", ">e9"]
    refuses(one, ">d7", "T13", "beyond the halfway line")
    refuses(one, "=d9", "T7", "takes a kick")


def test_t13_the_kicker_does_not_touch_the_ball_again_before_another_pawn():
    free = roll(TOSS, "2", "5", *PLACED, "2", ">d10", "2")
    refuses(free, "d8-d10", "T13", "another pawn")
    second = roll(free, "c8-c10", "roll", "1", "c11-b12", "2")
    refuses(second, "d8-d10", "T13", "another pawn")
    touched = roll(free, "c8-d10")
    assert (phase(touched), touched.kicker) == (("attempt", "yellow"), None)


CONCEDED = """
    6  .  Y7 .  Y9 .  .  .  .
    3  .  R7 .  R8o .  .  .  .
"""


def test_t13_pawns_sent_off_stay_off_and_a_midfielder_kicks_off_without_strikers():
    begun = position(CONCEDED, "shot", side="red").play("goal")
    assert begun.task == "Place pawn 7 with the ball in your part of the centre circle."
    placed = roll(begun, "@e8", "@d1", "@d16")
    assert (phase(placed), squares(placed)) == (
        ("ball", "yellow"),
        {"Y1": "d1", "Y7": "e8", "Y9": "h6", "R1": "d16", "R7": "c11", "R8": "f11"},
    )


BATTLE = """
    11 .  Y10 .  .  .  .  .  .
    10 .  .  .  Y8R9o . .  .  .
    9  .  R2 .  .  R3 .  .  .
"""


def test_t14_a_one_against_a_six_is_a_foul_and_a_yellow_card():
    fouled = position(BATTLE, "battle").play("6-1")
    assert (phase(fouled), str(fouled.restart), fouled.kicker, fouled.minute) == (("ball", "yellow"), "free-kick", 8, 6)
    assert 9 in fouled.cards.red.shirts
    assert phase(position(BATTLE, "battle").play("1-6")) == ("ball", "red")


def test_t14_the_second_card_sends_off():
    battle = position(BATTLE, "battle", cards=("-", "9"))
    assert "R9" not in squares(battle.play("6-1"))
    assert battle.describe("6-1").endswith("A foul: Red midfielder 9 is sent off.")
    assert battle.play("6-1").describe("4") == "Yellow rolls 4 for the ball."


DEFENDER_FOULS = """
    10 .  .  .  Y8R2o . .  .  .
    9  .  .  .  .  R3 .  .  .
"""


def test_t14_defenders_share_one_tally():
    first = position(DEFENDER_FOULS, "battle").play("6-1")
    assert "R2" in squares(first)
    assert str(first.cards.red).startswith("d,2")
    second = position(DEFENDER_FOULS, "battle", cards=("-", "d,3")).play("6-1")
    assert "R2" not in squares(second)


def test_t14_a_keeper_sent_off_is_replaced_on_the_square_by_the_lowest_defender():
    keeper = "10 . . . Y8R1o . . . .\n9 . . . . R3 R2 . ."
    fouled = position(keeper, "battle", cards=("-", "1")).play("6-1")
    assert fouled.keepers.red == 2
    assert squares(fouled) == {"Y1": "d1", "Y8": "d10", "R2": "c11", "R3": "e9"}


def test_t14_a_keeper_sent_off_is_shown_as_one_beside_the_board():
    keeper = "10 . . . Y8R1o . . . .\n9 . . . . R3 R2 . ."
    picture = position(keeper, "battle", cards=("-", "1")).play("6-1").picture()
    assert next(each.label for each in picture.figures if (each.side, each.number) == (Side.RED, 1)) == "Red keeper 1"
    assert "sent off: 1" in [tally.label for tally in picture.tallies]


def test_t14_the_new_keeper_has_only_cards_of_its_own():
    drawing = "10 . . . Y8R2o . . . .\n9 . . . . R3 . . ."
    warned = position(drawing, "battle", keepers="1-2", cards=("-", "d,3")).play("6-1")
    assert (warned.keepers.red, squares(warned)["R2"]) == (2, "c11")
    replaced = position(drawing, "battle", keepers="1-2", cards=("-", "d,2")).play("6-1")
    assert (replaced.keepers.red, "R2" in squares(replaced)) == (3, False)


def test_t14_the_free_kick_is_played_without_a_dribble():
    fouled = position(BATTLE, "battle").play("6-1").play("1")
    refuses(fouled, "=d11", "T7", "takes a kick")
    accepts(fouled, ">d11")


def test_t14_a_foul_by_d_in_its_own_penalty_area_is_a_penalty():
    area = "14 . . . Y8R9o . . . .\n13 . . R3 . . . . ."
    penalty = position(area, "battle").play("6-1")
    assert (phase(penalty), [each.text for each in penalty.chance()]) == (("penalty", "yellow"), ["goal", "no-goal"])
    assert phase(penalty.play("no-goal")) == ("goal-kick", "red")
    assert (phase(penalty.play("goal")), tuple(penalty.play("goal").score)) == (("kick-off", "red"), (1, 0))
    assert phase(position(area, "battle").play("1-6")) == ("ball", "red")


GOAL_KICK = """
    5  .  .  .  Y1 .  .  .  .
    4  .  .  .  .  .  .  .  .
    3  .  .  R6 .  .  .  .  .
    2  .  .  .  Y3R7 .  .  .  .
    1  .  .  .  Y2R8 .  .  .  .
"""


def test_t15_the_keeper_is_placed_and_the_penalty_area_is_cleared():
    """Nearest to the goal line first: R8 has b3 before R7, from whom it would be as far."""
    state = position(GOAL_KICK, "goal-kick", "-")
    assert state.legal_moves() == ["@d1", "@e1"]
    after = state.play("@e1")
    assert (str(after.restart), after.kicker, after.turn) == ("goal-kick", 1, Nature.CHANCE)
    assert squares(after) == {
        "Y1": "e1", "Y2": "c1", "Y3": "d2", "R1": "e16", "R8": "b3", "R7": "b4", "R6": "c4",
    }  # fmt: skip
    refuses(state, "@c1", "T15", "goal area")


def test_t15_the_ball_is_rolled_with_two_dice_and_leaves_the_penalty_area():
    after = roll(position("5 . . . . . . . Y9", "goal-kick", "-"), "@d1", "2")
    assert after.legal_moves() == [">b1", ">b2", ">b3"]
    refuses(after, ">d3", "T15", "outside the penalty area")


def test_t15_a_square_that_breaks_t3_is_offered_only_if_both_do():
    column = "5 . . . . Y1 . . .\n4 . . . Y6 . . . .\n3 . . . Y2 . . . .\n2 . . . Y3 . . . ."
    assert position(column, "goal-kick", "-").legal_moves() == ["@e1"]
    both = "5 . Y1 . . . . . .\n4 . . . Y6 Y7 . . .\n3 . . . Y2 Y4 . . .\n2 . . . Y3 Y5 . . ."
    assert position(both, "goal-kick", "-").legal_moves() == ["@d1", "@e1"]


CORNER = """
    16 .  .  .  R1 .  .  .  .
    15 R2 R9 .  .  .  .  .  .
    14 .  .  Y10o .  . .  .  .
    9  .  .  Y11 .  .  .  .  .
    4  .  .  .  Y3 .  .  .  .
"""


def corner():
    return position(CORNER, "shot").play("corner")


def test_t16_o_names_a_field_player_who_may_stand_at_the_near_corner():
    state = corner()
    assert (phase(state), state.legal_moves()) == (("corner", "yellow"), ["#10", "#11"])
    refuses(state, "#3", "T5", "own half")
    refuses(state, "#1", "T16", "keeper")
    refuses(state, "#9", "T14", "not on the board")
    assert squares(state.play("#11"))["Y11"] == "a16"
    right = position("14 . . . . Y10o . . .\n13 R9 . . . . . . .", "shot").play("corner")
    assert squares(right.play("#10"))["Y10"] == "h16"


def test_t16_wrong_pawns_and_wrong_squares_are_refused():
    state = roll(corner(), "#11", "@e16")
    assert "pass" in state.legal_moves()
    refuses(state, "b15-b16", "T16", "next to the corner")
    refuses(state, "b15-c14", "T16", "already a pawn")
    refuses(state, "e16-e15", "T16", "field players")
    placed = state.play("b15-c13")
    refuses(placed, "a16-b16", "T16", "takes the corner")
    accepts(placed, "c14-b16")
    refuses(placed.play("pass"), "c13-c12", "T16", "has already been placed")


def test_t16_another_pawn_of_d_leaves_the_goal_area():
    shot = position("16 . . . . R2 . . .\n15 . R1 . . . . . .\n14 . . Y10o . . . . .", "shot")
    state = shot.play("corner")
    assert squares(roll(state, "#10", "@d16"))["R2"] == "f16"


def test_t16_no_off_side_from_a_corner():
    """The receiver on d16 is nearer to the goal line than all of D."""
    state = roll(corner(), "#11", "@e16", "pass", "c14-d16", *["pass"] * 4, "3")
    assert state.play(">d16").phase == "shot"
    free = roll(corner(), "#11", "@e16", "pass", "c14-d14", *["pass"] * 4, "5", ">f16", "2")
    assert free.play("d14-f16").phase == "attempt"


OFFSIDE = """
    13 .  .  .  .  .  Y9 .  .
    12 .  .  .  R2 .  .  .  .
    11 .  .  .  .  Y10o .  .  .
    10 .  .  R9 .  .  .  .  .
"""


def test_t17_a_receiver_nearer_to_the_goal_line_than_all_of_d_is_off_side():
    caught = position(OFFSIDE, "ball", 2).play(">f13")
    assert (phase(caught), str(caught.restart), caught.kicker) == (("ball", "red"), "free-kick", 2)
    assert squares(caught)["R2"] == "f13"
    assert squares(caught)["Y9"] == "e12"


@pytest.mark.parametrize("square", ["12 . . . R2 . Y9 . .", "12 . . . . . Y9 . .\n13 . . . R2 . . . ."])
def test_t17_level_is_not_off_side(square):
    rows = sorted([*square.split("\n"), "11 . . . . Y10o . . ."], key=lambda row: -int(row.split()[0]))
    assert position("\n".join(rows), "ball", 1).play(">f12").phase == "ball"


def test_t17_a_pawn_that_captures_a_free_ball_can_be_off_side_too_and_it_comes_before_a_shot():
    free = position("14 . . . o . . . .\n13 . . . . . . . R3\n12 . . . Y9 . . . R2", "free", 2)
    caught = free.play("d12-d14")
    assert (phase(caught), str(caught.restart), caught.kicker) == (("ball", "red"), "free-kick", 3)


def test_t17_in_the_own_half_nobody_is_off_side():
    assert position("8 . . . Y10o . Y9 . .\n7 . . . . R9 . . .", "ball", 2).play(">f8").phase == "ball"


def test_t17_the_keeper_takes_the_kick_where_t3_allows_nobody_else():
    caught = position("16 . . . R1 o . . .\n13 . . . Y9 Y10 . . R3", "free", 3).play("e13-e16")
    assert (caught.kicker, squares(caught)["R1"]) == (1, "e16")


def test_t17_not_after_a_dribble_or_in_a_battle():
    assert position("13 . . . . Y9o . . .\n12 . . . R3 . . . .", "ball", 1).play("=e14").phase == "attempt"
    assert position("14 . . . . Y9R1o . . .\n12 . . . R3 . . . .", "battle").play("6-2").phase == "shot"


def test_t17_ends_are_not_swapped_and_a_pawn_in_its_place_is_seen():
    assert ends(position(OFFSIDE, "free", 1, ball="a5"), "f13")
