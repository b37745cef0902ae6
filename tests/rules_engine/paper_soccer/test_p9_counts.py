"""P9: how many sequences of steps and of whole turns there are, and how many positions they lead to."""

from typing import Any

import pytest

from tests.rules_engine.paper_soccer import naive
from tests.rules_engine.paper_soccer.diagrams import NO_OWN_GOALS, begun
from tests.rules_engine.paper_soccer.perft import count_positions, count_steps, count_turns

STEPS = (8, 56, 392, 2_720, 17_846, 113_442, 704_404)
TURNS = (8, 56, 512, 5_478, 82_434, 1_704_730)
POSITIONS = (8, 56, 440, 3_710, 35_756)

DEPTH = 4
"""The depth to which the public state and the naive rules count: some thousand positions."""


def steps_of_states(state, depth):
    """Return the number of sequences of steps, played on the public state."""
    moves = state.legal_moves()
    return len(moves) if depth == 1 else sum(steps_of_states(state.play(move), depth - 1) for move in moves)


def naive_turns(point):
    """Return what every whole turn leads to, once for each way."""
    ends: list[Any] = []
    for after in naive.steps(point).values():
        goes_on = after.side == point.side and naive.winner(after) is None
        ends += naive_turns(after) if goes_on else [after]
    return ends


@pytest.mark.parametrize(("depth", "count"), list(enumerate(STEPS, 1)))
def test_steps(depth, count):
    assert count_steps(begun(), depth) == count


@pytest.mark.parametrize(("depth", "count"), list(enumerate(TURNS, 1)))
def test_whole_turns(depth, count):
    assert count_turns(begun(), depth) == count


@pytest.mark.parametrize(("depth", "count"), list(enumerate(POSITIONS, 1)))
def test_positions_after_whole_turns(depth, count):
    assert count_positions(begun(), depth) == count


@pytest.mark.parametrize("depth", range(1, DEPTH + 1))
def test_the_public_state_counts_the_same_steps(depth):
    assert steps_of_states(begun(), depth) == STEPS[depth - 1]


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


@pytest.mark.parametrize("turns", ["0 1 6 4", "0 0 7 1", "2 1 7 1 1", "0 0 0 0 0 3 67"])
def test_counts_from_the_middle_of_a_point_agree_with_the_public_state(turns):
    state = begun(turns)

    assert count_steps(state, 3) == steps_of_states(state, 3)


def test_nothing_is_counted_where_own_goals_are_forbidden():
    with pytest.raises(ValueError, match="own goals"):
        count_steps(begun(preset=NO_OWN_GOALS), 1)
