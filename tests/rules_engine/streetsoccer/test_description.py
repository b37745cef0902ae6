"""StreetSoccer in sentences."""

import pytest

from rules_engine.description import summarise
from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.registry import get_game
from tests.rules_engine.diagrams import position
from tests.rules_engine.streetsoccer.test_s21_pass import BOXED_IN


def read(line, key="streetsoccer-board"):
    return get_game(key).read(line)


START = get_game("streetsoccer-board").start()
TEAMS = "d1,c3,d5,f7,g4 e10,c8,e6,c4,f9"
SHOT = "play 3.1 yellow 2 d1,c3,d5,d8,g4 e10,c8,e6,c4,f9 d9 1-0 yellow"
PLAY = f"play 3.1 yellow 3 {TEAMS} d6 1-0 yellow"


@pytest.mark.parametrize(
    ("line", "move", "sentence"),
    [
        (str(START), "@d1", "Yellow places the goalie on d1."),
        (str(START), "@d1,c3,d5", "Yellow places the goalie on d1, player 2 on c3 and player 3 on d5."),
        (f"kick-off 1.1 - ? {TEAMS} - 0-0 -", "4", "Yellow rolls 4 for the kick-off."),
        (f"kick-off 1.1 - 4? {TEAMS} - 0-0 -", "2", "Red rolls 2 for the kick-off."),
        (f"kick-off 1.1 yellow 2 {TEAMS} - 0-0 -", ">c7", "Yellow kicks off to c7."),
        (f"play 3.1 yellow ? {TEAMS} d6 1-0 yellow", "3", "Yellow rolls 3."),
        (PLAY, "c3-b5", "Yellow 2 walks from c3 to b5."),
        (PLAY, "d5-d6>d9", "Yellow 3 walks from d5 to d6 and kicks to d9."),
        (PLAY, "d1-e3", "Yellow goalie walks from d1 to e3."),
        (
            "play 3.1 yellow 2 d1,c3,d5,d8,g4 e10,c8,e6,c4,f9 d9 1-0 yellow",
            "d8-d9>goal",
            "Yellow 4 walks from d8 to d9 and scores.",
        ),
        ("restart 3.2 red - " + TEAMS + " - 1-0 yellow", "@d10", "Red restarts with the goalie on d10."),
        ("restart 3.2 red 3 d1,c3,d5,f7,g4 d10,c8,e6,c4,f9 d10 1-0 yellow", ">d7", "Red goalie kicks to d7."),
    ],
)
def test_a_move_is_a_sentence_about_who_does_what(line, move, sentence):
    assert read(line).describe(move) == sentence


def test_a_goalie_who_is_put_down_and_kicks_at_once_does_both_in_one_sentence():
    state = read(f"restart 3.2 red 3 {TEAMS} - 1-0 yellow", "streetsoccer-online")

    assert state.describe("@d10>d7") == "Red restarts with the goalie on d10, who kicks to d7."


def test_a_kicker_who_may_not_stay_is_said_to_be_moved():
    state = read("play 3.1 yellow 2 d1,c3,d5,d9,g4 e10,c8,e6,c4,f9 d10 1-0 yellow")

    assert state.describe("d9-d10>b10") == "Yellow 4 walks from d9 to d10 and kicks to b10, then is moved to d9."


def test_having_to_pass_is_said():
    state = position(BOXED_IN, dice=1, preset="board")

    assert state.describe("pass") == "Yellow passes: no move is possible."


@pytest.mark.parametrize(("move", "error"), [("a1-a2", IllegalMove), ("hop", InvalidNotation)])
def test_a_move_that_cannot_be_played_cannot_be_described(move, error):
    with pytest.raises(error):
        read(PLAY).describe(move)


def test_a_position_is_described_from_the_clock_to_the_ball():
    assert summarise(read(PLAY)) == (
        "Minute 3. Yellow 1, Red 0. It is Yellow's turn.",
        "Yellow: goalie on d1, 2 on c3, 3 on d5, 4 on f7 and 5 on g4.",
        "Red: goalie on e10, 2 on c8, 3 on e6, 4 on c4 and 5 on f9.",
        "The ball is on d6.",
    )


def test_a_position_before_anybody_stands_is_described_too():
    assert summarise(START) == (
        "Set-up. Yellow 0, Red 0. It is Yellow's turn.",
        "Yellow has no players on the board.",
        "Red has no players on the board.",
        "The ball is not in play.",
    )


def test_a_match_that_was_ended_otherwise_is_said_to_be_over():
    assert summarise(read(PLAY), is_over=True)[0] == "Minute 3. Yellow 1, Red 0. The match is over."


def test_a_roll_that_is_to_come_is_described():
    state = read(f"play 3.1 yellow ? {TEAMS} d6 1-0 yellow")

    assert summarise(state)[0] == "Minute 3. Yellow 1, Red 0. A roll comes next."
