"""Outcomes to match points."""

from __future__ import annotations

import pytest

from rules_engine.registry import GAMES
from rules_engine.values import BySide, Ending, Outcome, Side
from tournaments.scoring import PointTable, bye_points, points_of

BOARD = GAMES["streetsoccer-board"]
THREE_ONE_NOTHING = PointTable(wins={Ending.NORMAL_TIME: (3, 0), Ending.LAST_GOAL: (2, 1)}, drawn=1)


@pytest.mark.parametrize(
    ("winner", "ending", "by_game", "by_table"),
    [
        (Side.YELLOW, Ending.NORMAL_TIME, (5, 0), (3, 0)),
        (Side.RED, Ending.NORMAL_TIME, (0, 5), (0, 3)),
        (Side.RED, Ending.SUDDEN_DEATH, (1, 4), (0, 3)),
        (Side.YELLOW, Ending.LAST_GOAL, (3, 2), (2, 1)),
        (Side.RED, Ending.LAST_GOAL, (2, 3), (1, 2)),
        (None, Ending.GOALLESS, (2, 2), (1, 1)),
        (Side.YELLOW, Ending.RESIGNATION, (5, 0), (3, 0)),
        (Side.RED, Ending.TIMEOUT, (0, 5), (0, 3)),
        (Side.YELLOW, Ending.FORFEIT, (5, 0), (3, 0)),
        (None, Ending.ADJUDICATION, (2, 2), (1, 1)),
        (None, Ending.FORFEIT, (0, 0), (0, 0)),
    ],
)
def test_an_outcome_is_worth_what_the_games_or_the_competitions_table_says(winner, ending, by_game, by_table):
    outcome = Outcome(winner, ending, BySide(1, 1))
    assert points_of(BOARD, outcome) == BySide(*by_game)
    assert points_of(BOARD, outcome, THREE_ONE_NOTHING) == BySide(*by_table)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_bye_is_worth_a_normal_win_in_every_game(game):
    assert bye_points(game) == 5


def test_a_table_may_give_a_bye_and_a_match_that_neither_played_another_worth():
    generous = PointTable(wins={Ending.NORMAL_TIME: (3, 0)}, drawn=1, bye=2, neither=-1)
    assert bye_points(BOARD, THREE_ONE_NOTHING) == 3
    assert bye_points(BOARD, generous) == 2
    assert points_of(BOARD, Outcome(None, Ending.FORFEIT, BySide(0, 0)), generous) == BySide(-1, -1)


def test_a_table_without_a_normal_win_is_refused():
    with pytest.raises(ValueError, match="normal time"):
        PointTable(wins={Ending.TIMEOUT: (5, 0)}, drawn=2)
