"""Yellow is the entrant who has been it less often, then the one who was not it last, then the first in the draw."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.sides import Balance
from rules_engine.values import BySide, Side

LOTS = {"A": 3, "B": 2, "C": 1, "D": 0}


def read_matches(text):
    """Return the matches of a text such as ``AB CA``, each with Yellow first."""
    return [BySide(*pair) for pair in text.split()]


@pytest.mark.parametrize(
    ("matches", "yellow", "why"),
    [
        ("", "B", "the smaller lot"),
        ("BC", "A", "A was never Yellow"),
        ("AC AD BC", "B", "B was Yellow once, A twice"),
        ("AC BD CA", "A", "both once, B last"),
        ("AC BD DB", "B", "both once, A last"),
        ("AC BD", "B", "both once, both last: the smaller lot"),
        ("CB", "B", "both never, neither last: the smaller lot"),
        ("AC CA BD DB", "B", "both once, neither last: the smaller lot"),
    ],
)
def test_the_less_often_yellow_is_yellow_then_the_one_not_yellow_last_then_the_draw_decides(matches, yellow, why):
    for pair in ("AB", "BA"):
        assert Balance(LOTS, read_matches(matches)).give(*pair).yellow == yellow, why


def test_a_match_that_is_given_counts_for_the_next():
    balance = Balance(LOTS)
    assert [balance.give("A", "B").yellow for _ in range(4)] == ["B", "A", "B", "A"]


def test_a_match_that_nobody_plays_is_not_counted():
    balance = Balance(LOTS)
    assert [balance.weigh(*pair) for pair in ("AB", "BA")] == [BySide("B", "A")] * 2


def test_earlier_matches_can_be_taken_over_as_sums():
    balance = Balance(LOTS)
    balance.note("A", as_yellow=2, last=Side.RED)
    balance.note("B", as_yellow=2, last=Side.YELLOW)
    balance.note("C", as_yellow=2, last=None)
    assert balance.give("A", "B") == BySide("A", "B")
    assert balance.give("B", "C") == BySide("C", "B")


@given(st.lists(st.permutations(range(6)).map(lambda order: order[:2]), max_size=60), st.permutations(range(6)))
def test_nobody_is_yellow_while_the_opponent_has_been_it_less_often(pairs, lots):
    balance = Balance(dict(enumerate(lots)))
    as_yellow: Counter[int] = Counter()
    for one, other in pairs:
        sides = balance.give(one, other)
        assert {*sides} == {one, other}
        assert as_yellow[sides.yellow] <= as_yellow[sides.red]
        as_yellow[sides.yellow] += 1


@given(st.permutations(range(4)), st.integers(2, 30))
def test_in_a_single_round_robin_after_another_nobody_is_yellow_much_more_often_than_red(lots, cycles):
    balance = Balance(dict(enumerate(lots)))
    as_yellow: Counter[int] = Counter()
    for _ in range(cycles):
        for one in range(4):
            for other in range(one):
                as_yellow[balance.give(one, other).yellow] += 1
    assert max(as_yellow.values()) - min(as_yellow[each] for each in range(4)) <= 2
