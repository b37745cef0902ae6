"""P9: how many sequences of steps and of whole turns there are, and how many positions they lead to."""

from collections import Counter
from itertools import cycle
from typing import Any

import pytest

from rules_engine.values import Side
from tests.marks import nightly
from tests.rules_engine.paper_soccer import naive
from tests.rules_engine.paper_soccer.diagrams import begun

STEPS = (8, 56, 392, 2_720, 17_846, 113_442, 704_404)
TURNS = (8, 56, 512, 5_478, 82_434, 1_704_730)
POSITIONS = (8, 56, 440, 3_710, 35_756, 383_628)

DEPTH = 4
"""The depth to which the naive rules count: some thousand positions."""


def play_step(ways):
    """Return the positions a step later, each with the number of sequences that lead to it."""
    after: Counter[Any] = Counter()
    for state, count in ways.items():
        for move in state.legal_moves():
            after[state.play(move)] += count
    return after


def play_turn(ways, side):
    """Return the positions after a whole turn of a side, each with the number of sequences that lead to it."""
    ended: Counter[Any] = Counter()
    while ways:
        after = play_step(ways)
        ways = {state: count for state, count in after.items() if state.turn is side}
        ended.update({state: count for state, count in after.items() if state.turn is not side})
    return ended


def naive_turns(point):
    """Return what every whole turn leads to, once for each way."""
    ends: list[Any] = []
    for after in naive.steps(point).values():
        goes_on = after.side == point.side and naive.winner(after) is None
        ends += naive_turns(after) if goes_on else [after]
    return ends


@pytest.mark.parametrize("depth", [6, *nightly([7])])
def test_steps(depth):
    ways = Counter([begun()])
    for count in STEPS[:depth]:
        ways = play_step(ways)
        assert ways.total() == count


@pytest.mark.parametrize("depth", [5, *nightly([6])])
def test_whole_turns_and_the_positions_after_them(depth):
    ways = Counter([begun()])
    for side, turns, positions in zip(cycle(Side), TURNS[:depth], POSITIONS, strict=False):
        ways = play_turn(ways, side)
        assert (ways.total(), len(ways)) == (turns, positions)


def test_the_naive_rules_count_the_same_turns_and_positions():
    points = [naive.Point("yellow")]
    for depth in range(DEPTH):
        points = [after for point in points for after in naive_turns(point)]
        assert len(points) == TURNS[depth]
        assert len({(point.ball, point.drawn) for point in points}) == POSITIONS[depth]


def test_positions_are_equal_whatever_the_order_in_which_their_lines_were_drawn():
    one, other = begun("0 2 52"), begun("1 6 42")

    assert one == other
    assert hash(one) == hash(other)
    assert one.legal_moves() == other.legal_moves()
    assert [segment.end for segment in one.picture().segments] == ["e7", "f7", "e6", "f6"]
    assert [segment.end for segment in other.picture().segments] == ["f7", "e7", "e6", "f6"]
