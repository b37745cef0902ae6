"""P8: matches of several points, who begins each, and what they are worth."""

from dataclasses import replace

import pytest

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.paper_soccer.game import PaperSoccer
from rules_engine.registry import get_game
from rules_engine.values import BySide, Ending, Nature, Outcome, Side
from tests.rules_engine.paper_soccer.diagrams import NO_OWN_GOALS, refuses

YELLOW, RED = Side.YELLOW, Side.RED
BY = {
    (YELLOW, YELLOW): "0 0 7 1 71",
    (YELLOW, RED): "3 4 5 3 5 5",
    (RED, YELLOW): "7 1 0 7 1 7",
    (RED, RED): "5 5 3 3 53",
}
"""Turns that end a point, by who begins it and who gets it."""

games = pytest.mark.parametrize("key", ["paper-soccer", "paper-soccer-1"])


def played(key: str, first: Side, *scorers: Side):
    """Return the match after the coin and points of these sides."""
    state = get_game(key).start().play(first)
    for scorer in scorers:
        for turn in BY[Side(state.turn), scorer].split():
            state = state.play(turn)
    return state


@games
def test_a_coin_decides_who_begins(key):
    state = get_game(key).start()

    assert state.turn is Nature.CHANCE
    assert [roll.text for roll in state.chance()] == ["yellow", "red"]
    assert state.play("yellow").turn is YELLOW
    assert state.play("red").turn is RED
    assert state.task == "A coin decides who begins."


@games
def test_nothing_is_drawn_before_the_coin_and_no_coin_is_tossed_after_it(key):
    state = get_game(key).start()

    refuses(state, "0", "P8", "the coin must be tossed first")
    refuses(state.play("red"), "yellow", "P8", "no coin")


@pytest.mark.parametrize("first", Side)
@pytest.mark.parametrize("scorer", Side)
def test_the_side_that_has_just_scored_goes_second_on_a_fresh_field(first, scorer):
    state = played("paper-soccer", first, scorer)

    assert state.turn is scorer.opponent
    assert state.picture().segments == ()
    assert state.legal_moves() == list("01234567")
    assert state.score == BySide(0, 0).with_side(scorer, 1)


def test_ends_stay_the_same_whichever_side_begins():
    north = played("paper-soccer", RED, YELLOW, YELLOW)

    assert str(north) == "2-0 red -"
    for turn in BY[RED, RED].split():
        north = north.play(turn)
    assert str(north) == "2-1 yellow -"


@pytest.mark.parametrize("first", Side)
@pytest.mark.parametrize(
    ("scorers", "winner", "points"),
    [
        ((YELLOW, YELLOW, YELLOW), YELLOW, (5, 0)),
        ((YELLOW, RED, YELLOW, YELLOW), YELLOW, (4, 1)),
        ((RED, RED, YELLOW, YELLOW, YELLOW), YELLOW, (3, 2)),
        ((RED, RED, RED), RED, (0, 5)),
        ((RED, YELLOW, RED, RED), RED, (1, 4)),
        ((RED, YELLOW, YELLOW, RED, RED), RED, (2, 3)),
    ],
)
def test_first_to_three_wins(first, scorers, winner, points):
    state = played("paper-soccer", first, *scorers)

    score = BySide(scorers.count(YELLOW), scorers.count(RED))
    assert state.outcome == Outcome(winner, Ending.NORMAL_TIME, score)
    assert state.turn is None
    assert get_game("paper-soccer").match_points(state.outcome) == BySide(*points)
    assert played("paper-soccer", first, *scorers[:-1]).outcome is None


@pytest.mark.parametrize("winner", Side)
def test_one_point_can_be_the_match(winner):
    state = played("paper-soccer-1", YELLOW, winner)

    assert state.outcome == Outcome(winner, Ending.NORMAL_TIME, BySide(0, 0).with_side(winner, 1))
    assert get_game("paper-soccer-1").match_points(state.outcome) == BySide(0, 0).with_side(winner, 5)


@games
@pytest.mark.parametrize("ending", [Ending.RESIGNATION, Ending.TIMEOUT, Ending.FORFEIT, Ending.ADJUDICATION])
@pytest.mark.parametrize("winner", Side)
def test_a_match_that_is_not_played_to_its_end_is_worth_five(key, ending, winner):
    """Whatever the score."""
    for score in (BySide(0, 0), BySide(2, 1)):
        assert get_game(key).match_points(Outcome(winner, ending, score)) == BySide(0, 0).with_side(winner, 5)


@games
def test_a_match_that_nobody_wins_is_shared(key):
    assert get_game(key).match_points(Outcome(None, Ending.ADJUDICATION, BySide(1, 1))) == BySide(2, 2)


def test_the_last_point_stays_on_the_board_when_the_match_is_over():
    state = played("paper-soccer-1", YELLOW, YELLOW)

    assert state.picture().ball == "e12"
    assert len(state.picture().segments) == 6
    assert (state.stage, state.task) == ("match over", "The match is over.")
    refuses(state, "4", "P8", "the match is over")


def test_the_stage_says_the_point_and_the_turn_or_coin_toss():
    assert [
        played("paper-soccer", YELLOW).stage,
        played("paper-soccer", YELLOW, RED).play("0").stage,
        get_game("paper-soccer").start().stage,
    ] == ["point 1, turn 1", "point 2, turn 2", "point 1, coin toss"]


def test_a_match_may_forbid_own_goals():
    game = replace(get_game("paper-soccer"), rally=PaperSoccer(NO_OWN_GOALS))  # type: ignore[type-var]
    allowed = get_game("paper-soccer").read("0-0 yellow 4 4 4 4 3")
    forbidden = game.read("0-0 yellow 4 4 4 4 3")

    assert set(allowed.legal_moves()) - set(forbidden.legal_moves()) == {"5"}
    assert forbidden != allowed
    assert str(allowed.play("5")) == "0-1 yellow -"
    refuses(forbidden, "5", "P6", "own goal")


@pytest.mark.parametrize(
    "text",
    [
        "0-0",
        "0-0 -",
        "0-0 green -",
        "0-0 yellow",
        "0-0 yellow 8",
        "0-0 yellow 00",
        "0-0 yellow 0 4",
        "0-0 yellow 0 1 6 4 2",
        "0-0 yellow 0  1",
        "0-0 yellow 0 ",
        "00-0 yellow -",
        "3-0 yellow 0 0 7 1 71",
    ],
)
def test_a_position_to_which_no_match_comes_is_refused(text):
    with pytest.raises(InvalidNotation):
        get_game("paper-soccer").read(text)


@games
def test_a_step_that_is_none_is_not_read(key):
    with pytest.raises(InvalidNotation, match="not written like steps"):
        get_game(key).read_move("08")
    assert get_game(key).read_move("02217") == "02217"
    with pytest.raises(IllegalMove):
        get_game(key).start().play("02217")
