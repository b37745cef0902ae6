"""Outcomes to match points."""

import json

import pytest

from formats.scoring.points import (
    MAX_POINTS,
    STANDARD,
    STOCK_TABLES,
    InvalidPointTable,
    PointTable,
    TableFault,
    Worth,
    name_table,
    points_of,
    read_table,
    write_table,
)
from rules_engine.registry import GAMES
from rules_engine.values import BySide, Ending, Outcome, Side

BOARD = GAMES["streetsoccer-board"]
PAPER = GAMES["paper-soccer"]
OWN = PointTable(Worth(7, 0), Worth(6, 0), Worth(4, 2), drawn=3, bye=5, neither=1)


@pytest.mark.parametrize(
    ("winner", "ending", "standard", "own"),
    [
        (Side.YELLOW, Ending.NORMAL_TIME, (5, 0), (7, 0)),
        (Side.RED, Ending.NORMAL_TIME, (0, 5), (0, 7)),
        (Side.RED, Ending.SUDDEN_DEATH, (1, 4), (0, 6)),
        (Side.YELLOW, Ending.LAST_GOAL, (3, 2), (4, 2)),
        (None, Ending.GOALLESS, (2, 2), (3, 3)),
        (Side.YELLOW, Ending.RESIGNATION, (5, 0), (7, 0)),
        (Side.RED, Ending.TIMEOUT, (0, 5), (0, 7)),
        (Side.YELLOW, Ending.FORFEIT, (5, 0), (7, 0)),
        (None, Ending.ADJUDICATION, (2, 2), (3, 3)),
        (None, Ending.FORFEIT, (0, 0), (1, 1)),
    ],
)
def test_an_outcome_is_worth_what_the_competitions_table_says(winner, ending, standard, own):
    outcome = Outcome(winner, ending, BySide(1, 1))
    assert points_of(BOARD, outcome, STANDARD) == BySide(*standard)
    assert points_of(BOARD, outcome, OWN) == BySide(*own)


@pytest.mark.parametrize(
    ("score", "standard", "own"), [((3, 0), (5, 0), (7, 0)), ((3, 1), (4, 1), (6, 0)), ((2, 3), (2, 3), (2, 4))]
)
def test_the_game_says_which_outcome_a_score_is(score, standard, own):
    winner = Side.YELLOW if score[0] > score[1] else Side.RED
    outcome = Outcome(winner, Ending.NORMAL_TIME, BySide(*score))
    assert points_of(PAPER, outcome, STANDARD) == BySide(*standard)
    assert points_of(PAPER, outcome, OWN) == BySide(*own)


def test_the_stock_tables_are_five_four_three_two_and_three_or_two_for_a_win():
    assert {key: (table.wins, table.drawn, table.bye, table.neither) for key, table in STOCK_TABLES.items()} == {
        "5-4-3-2": ({"5-0": (5, 0), "4-1": (4, 1), "3-2": (3, 2)}, 2, 5, 0),
        "3-1-0": ({"5-0": (3, 0), "4-1": (3, 0), "3-2": (3, 0)}, 1, 3, 0),
        "2-1-0": ({"5-0": (2, 0), "4-1": (2, 0), "3-2": (2, 0)}, 1, 2, 0),
    }


@pytest.mark.parametrize(("table", "maximum"), [(STANDARD, 5), (STOCK_TABLES["3-1-0"], 3), (OWN, 7)])
def test_the_maximum_is_the_most_that_a_winner_gets(table, maximum):
    assert table.maximum == maximum


def test_a_narrow_win_can_be_worth_most():
    assert PointTable(Worth(1, 0), Worth(2, 0), Worth(9, 0), drawn=0, bye=1).maximum == 9


@pytest.mark.parametrize("table", [*STOCK_TABLES.values(), OWN])
def test_a_table_is_read_as_it_was_written(table):
    written = write_table(table)
    assert read_table(json.loads(json.dumps(written))) == table
    assert list(written) == ["5-0", "4-1", "3-2", "2-2", "bye", "neither"]


def test_stock_tables_are_known_by_their_numbers():
    assert {name_table(table) for table in STOCK_TABLES.values()} == set(STOCK_TABLES)
    assert name_table(OWN) is None


@pytest.mark.parametrize(
    ("changed", "faults"),
    [
        ({"6-0": [6, 0]}, {"6-0": TableFault.UNKNOWN}),
        ({"2-2": None, "bye": True}, {"2-2": TableFault.WRONG_TYPE, "bye": TableFault.WRONG_TYPE}),
        ({"5-0": 5, "4-1": [4], "3-2": [3, "2"]}, dict.fromkeys(["5-0", "4-1", "3-2"], TableFault.WRONG_TYPE)),
        ({"5-0": [5.0, 0]}, {"5-0": TableFault.WRONG_TYPE}),
        ({"5-0": [MAX_POINTS + 1, 0]}, {"5-0": TableFault.OUT_OF_BOUNDS}),
        ({"4-1": [4, -1], "neither": -1}, {"4-1": TableFault.OUT_OF_BOUNDS, "neither": TableFault.OUT_OF_BOUNDS}),
        ({"3-2": [3, 3]}, {"3-2": TableFault.WIN_NOT_ABOVE_LOSS}),
        ({"2-2": 4}, {"3-2": TableFault.WIN_BELOW_DRAW}),
        ({"bye": 6}, {"bye": TableFault.ABOVE_MAXIMUM}),
        ({"neither": 3}, {"neither": TableFault.ABOVE_DRAW}),
    ],
)
def test_every_number_that_cannot_be_taken_is_named_with_its_fault(changed, faults):
    with pytest.raises(InvalidPointTable) as refused:
        read_table({**write_table(STANDARD), **changed})
    assert refused.value.faults == faults


def test_a_table_has_to_name_every_outcome():
    with pytest.raises(InvalidPointTable) as refused:
        read_table({"5-0": [5, 0]})
    assert refused.value.faults == dict.fromkeys(["4-1", "3-2", "2-2", "bye", "neither"], TableFault.MISSING)
