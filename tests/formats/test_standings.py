"""Standings: by hand, against the naive oracle, and what must hold for all results."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.scoring.points import STOCK_TABLES
from formats.scoring.standings import order, order_briefly, rank, write_number
from formats.scoring.tiebreaks import TIEBREAKS, Ledger, Result, add_up
from tests.formats.naive import measure_naively, order_naively
from tests.formats.results import competitions, read_results, round_robins

LOTS = st.permutations(range(8))
OF_SUMS = sorted(key for key, tiebreak in TIEBREAKS.items() if not tiebreak.needs_results)
METRIC_LISTS = st.lists(st.sampled_from(sorted(TIEBREAKS)), max_size=6)


def share_places(rows):
    """Return the rows' entrants as the oracle gives them: those who share a place together."""
    by_place: dict[Any, Any] = {}
    for row in rows:
        by_place.setdefault(row.place, []).append(row.entrant)
    return [sorted(entrants) for _, entrants in sorted(by_place.items())]


def numbers_from_outside(lots):
    return {
        "draw": {entrant: lots.index(entrant % 8) // 2 for entrant in range(8)},
        "rating": {entrant: Decimal(1500 + lots.index(entrant) % 3) for entrant in range(8)},
    }


@given(competitions(), METRIC_LISTS, LOTS)
def test_the_table_is_the_naive_one(competition, tiebreaks, lots):
    entrants, results = competition
    outside = numbers_from_outside(lots)
    expected = order_naively(entrants, results, tiebreaks, outside)
    assert share_places(rank(entrants, results, tiebreaks, given=outside)) == [sorted(group) for group in expected]


@given(round_robins(), st.sampled_from(["goals", "wins", "goal-difference"]))
def test_points_among_the_tied_are_naive_too_where_ties_are_many(competition, last):
    entrants, results = competition
    tiebreaks = ["head-to-head", last]
    assert share_places(rank(entrants, results, tiebreaks)) == order_naively(entrants, results, tiebreaks, {})


@given(competitions(), METRIC_LISTS, LOTS)
def test_every_number_in_the_table_is_the_naive_one(competition, tiebreaks, lots):
    entrants, results = competition
    outside = numbers_from_outside(lots)
    for row in rank(entrants, results, tiebreaks, given=outside):
        for tiebreak in set(tiebreaks) - {"head-to-head"}:
            assert row.values[tiebreak] == measure_naively(row.entrant, entrants, results, tiebreak, outside)


@given(competitions(), METRIC_LISTS, LOTS, st.randoms(use_true_random=False))
def test_any_order_of_results_gives_the_same_table(competition, tiebreaks, lots, random):
    entrants, results = competition
    outside = numbers_from_outside(lots)
    table = rank(entrants, results, tiebreaks, given=outside)
    random.shuffle(results)
    assert rank(entrants, results, tiebreaks, given=outside) == table


@given(competitions(), METRIC_LISTS, LOTS)
def test_sums_from_elsewhere_and_results_asked_for_once_give_the_same_places(competition, tiebreaks, lots):
    entrants, results = competition
    outside = numbers_from_outside(lots)
    asked = []

    def results_of(among):
        asked.append(set(among))
        return [each for each in results if isinstance(each, Result) and {each.yellow, each.red} & among] + [
            each for each in results if not isinstance(each, Result) and each.entrant in among
        ]

    ledger = Ledger(sums=add_up(results), given=outside, results_of=results_of)
    rows = order(entrants, ledger, tiebreaks)
    whole = rank(entrants, results, tiebreaks, given=outside)
    assert [(row.entrant, row.place, row.decided_by) for row in rows] == [
        (row.entrant, row.place, row.decided_by) for row in whole
    ]
    assert len(asked) <= 1
    relational = [TIEBREAKS[key].needs_results for key in tiebreaks]
    if asked:
        first = relational.index(True)
        level = order_naively(entrants, results, tiebreaks[:first], outside)
        assert asked[0] == {entrant for group in level if len(group) > 1 for entrant in group}


@given(competitions(), st.lists(st.sampled_from(OF_SUMS), max_size=6), LOTS)
def test_the_brief_table_is_the_whole_one(competition, tiebreaks, lots):
    entrants, results = competition
    ledger = Ledger(sums=add_up(results), given=numbers_from_outside(lots))
    rows = order(entrants, ledger, tiebreaks)
    whole = [(row.entrant, row.place, row.decided_by) for row in rows]
    assert order_briefly(entrants, ledger, tiebreaks) == whole


@given(competitions(), METRIC_LISTS, LOTS)
def test_every_row_names_what_set_it_apart_from_the_place_above(competition, tiebreaks, lots):
    entrants, results = competition
    rows = rank(entrants, results, tiebreaks, given=numbers_from_outside(lots))
    assert rows[0].decided_by == ""
    for upper, lower in pairwise(rows):
        if upper.place == lower.place:
            assert upper.decided_by == lower.decided_by
            continue
        key = lower.decided_by
        for level in set(tiebreaks[: tiebreaks.index(key)]) - {"head-to-head"}:
            assert upper.values[level] == lower.values[level]
        if key != "head-to-head":
            first, second = upper.values[key], lower.values[key]
            assert first < second if TIEBREAKS[key].lower_first else first > second


@given(competitions(), METRIC_LISTS, LOTS)
def test_different_lots_leave_no_place_shared(competition, tiebreaks, lots):
    entrants, results = competition
    outside = {**numbers_from_outside(lots), "draw": {entrant: lots.index(entrant) for entrant in range(8)}}
    rows = rank(entrants, results, [*tiebreaks, "draw"], given=outside)
    assert [row.place for row in rows] == list(range(1, len(entrants) + 1))


def test_points_among_the_tied_are_counted_afresh_among_those_still_tied():
    """All three have 9 points; among the three A 9, B 3 and C 3; among B and C alone B 3 and C 2."""
    results = read_results(
        """
        A B 5-0 1:0
        C A 1-4 1:1
        B C 3-2 1:1
        B x 3-2 1:1
        x B 2-3 1:1
        C x 3-2 1:1
        x C 2-3 1:1
        """
    )
    rows = rank("CBA", results, ["points", "head-to-head"])
    assert [(row.entrant, row.place, row.values) for row in rows] == [
        ("A", 1, {"points": 9, "head-to-head": 9}),
        ("B", 2, {"points": 9, "head-to-head": 3}),
        ("C", 3, {"points": 9, "head-to-head": 3}),
    ]
    assert [row.decided_by for row in rows] == ["", "head-to-head", "head-to-head"]


def test_a_tiebreak_further_down_starts_the_list_afresh_for_those_it_leaves_tied():
    """Four are level on points and among themselves; goals part two and two, and each two their own match."""
    results = read_results(
        """
        A B 5-0 1:0
        B C 5-0 1:0
        C D 5-0 1:0
        D A 5-0 1:0
        A C 0-0 0:0
        B D 0-0 0:0
        A x 0-5 3:0
        B x 0-5 3:0
        """
    )
    tiebreaks = ["points", "head-to-head", "goals", "draw"]
    rows = rank("BADC", results, tiebreaks, given={"draw": {"A": 4, "B": 3, "C": 2, "D": 1}})
    assert [row.entrant for row in rows] == ["A", "B", "C", "D"]
    assert [row.decided_by for row in rows] == ["", "head-to-head", "goals", "head-to-head"]


def test_sonneborn_berger_weighs_an_opponents_points_by_what_could_be_had():
    results = read_results("A B 3-0 1:0 \n B C 1-1 0:0 \n C A 3-0 1:0")
    table = STOCK_TABLES["3-1-0"]
    rows = rank("ABC", results, ["sonneborn-berger"], point_table=table)
    # C took all of A's 3 and a third of B's 1, A all of B's 1, B a third of C's 4.
    assert {row.entrant: row.values["sonneborn-berger"] for row in rows} == {
        "C": 3 + Fraction(1, 3),
        "B": Fraction(4, 3),
        "A": 1,
    }


def test_nobody_entered_is_an_empty_table_and_one_is_alone():
    assert rank([], [], ["points"]) == []
    (row,) = rank(["A"], [], ["points", "head-to-head"])
    assert (row.place, row.decided_by) == (1, "")


@pytest.mark.parametrize(
    ("entrants", "tiebreaks", "sentence"),
    [
        ("AB", ["points", "luck"], "there is no tiebreak 'luck'; known are points, head-to-head"),
        ("AA", ["points"], "named twice"),
        ("AB", ["draw"], "by 'draw' need that number for every entrant: 'draw'"),
    ],
)
def test_entrants_and_tiebreaks_that_cannot_be_ranked_are_refused(entrants, tiebreaks, sentence):
    with pytest.raises(ValueError, match=sentence):
        rank(entrants, [], tiebreaks)


def test_a_tiebreak_that_needs_results_is_refused_where_there_are_only_sums():
    with pytest.raises(ValueError, match="sums only"):
        order("AB", Ledger(sums={}), ["points", "buchholz"])


def test_the_brief_table_knows_no_tiebreak_that_needs_results():
    with pytest.raises(ValueError, match="needs the results"):
        order_briefly("AB", Ledger(sums={}), ["points", "buchholz"])


def test_nobody_meets_themselves():
    with pytest.raises(ValueError, match="cannot meet themselves"):
        read_results("A A 5-0 1:0")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (12, "12"),
        (100, "100"),
        (-3, "-3"),
        (Fraction(7, 2), "3.5"),
        (Fraction(10, 3), "3.3333"),
        (Fraction(4), "4"),
        (Decimal("1530.0000"), "1530"),
        (Decimal("1512.2500"), "1512.25"),
    ],
)
def test_numbers_are_written_short(number, text):
    assert write_number(number) == text
