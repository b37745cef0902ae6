"""Paper Soccer in sentences."""

import pytest

from rules_engine.description import summarise
from rules_engine.registry import get_game


def after(*texts, key="paper-soccer-1"):
    state = get_game(key).start()
    for text in texts:
        state = state.play(text)
    return state


@pytest.mark.parametrize(
    ("before", "text", "sentence"),
    [
        ([], "red", "The coin decides: Red begins."),
        (["yellow"], "1", "Yellow draws from e6 to f7."),
        (["yellow", "1", "6"], "43", "Yellow draws from e7 via e6 to f5."),
        (["yellow", *"00000"], "0", "Red draws from e11 to e12. Goal for Yellow."),
        (["yellow", *"5554"], "5", "Yellow draws from b2 to a1. Yellow is stuck: the point goes to Red."),
    ],
)
def test_a_turn_is_a_sentence_about_the_way_of_the_ball(before, text, sentence):
    assert after(*before).describe(text) == sentence


def test_a_position_says_where_the_ball_is_and_where_it_can_go():
    assert summarise(after("yellow", "1", "6")) == (
        "Point 1, turn 3. Yellow 0, Red 0. It is Yellow's turn.",
        "The ball is on e7. 2 lines have been drawn.",
        "The next line can go to e8, f8, f6, e6 (bounces), d6, d7 or d8.",
    )


def test_before_the_coin_there_is_nothing_on_the_board_to_describe():
    assert summarise(after()) == ("Point 1, coin toss. Yellow 0, Red 0. A roll comes next.",)


def test_the_end_of_a_match_says_where_the_ball_lies():
    assert summarise(after("yellow", *"000000")) == (
        "Match over. Yellow 1, Red 0.",
        "The ball is on e12. 6 lines have been drawn.",
    )
