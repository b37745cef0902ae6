"""The reasons why rows stand where they stand: of tables that are ranked, and the sentences that are made of it."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from formats.scoring.reasons import Reason, ReasonCode, explain_rows
from formats.scoring.standings import rank, write_number
from formats.scoring.tiebreaks import TIEBREAKS
from tests.formats.results import competitions, read_results
from tests.formats.test_standings import LOTS, METRIC_LISTS, numbers_from_outside
from tournaments.office.stage_texts import TIEBREAK_NAMES
from tournaments.tables.sentences import reasons_text


def explain(rows, tiebreaks):
    return explain_rows(rows, tiebreaks, lambda row, key: write_number(row.values[key]))


def sentences_of(rows, tiebreaks):
    return [reasons_text(reasons) for reasons in explain(rows, tiebreaks)]


def test_a_reason_names_what_decided_and_the_numbers_of_both():
    results = read_results("A B 5-0 4:1 \n A C 2-3 1:1 \n B C 5-0 2:0 \n D A 0-5 0:1 \n D B 0-5 0:1 \n D C 0-5 0:2")
    rows = rank("ABCD", results, ["points", "goal-difference"])
    assert sentences_of(rows, ["points", "goal-difference"]) == [
        "Ahead of the next player on points (12 to 10).",
        "Behind the player above on points (10 to 12). Ahead of the next player on points (10 to 8).",
        "Behind the player above on points (8 to 10). Ahead of the next player on points (8 to 0).",
        "Behind the player above on points (0 to 8).",
    ]


def test_a_reason_tells_what_two_were_level_on_before():
    tiebreaks = ["points", "wins", "goal-difference"]
    rows = rank("ABC", read_results("A B 2-2 0:0 \n A C 5-0 3:0 \n B C 5-0 1:0"), tiebreaks)
    first, second, _third = explain(rows, tiebreaks)
    assert first == (Reason(ReasonCode.AHEAD, "goal-difference", ("points", "wins"), "3", "1"),)
    assert reasons_text(first) == "Level on points and wins with the next player, ahead on goal difference (3 to 1)."
    assert reasons_text(second) == (
        "Level on points and wins with the player above, behind on goal difference (1 to 3). "
        "Ahead of the next player on points (7 to 0)."
    )


def test_numbers_that_are_equal_or_lots_are_not_told():
    results = read_results("A B 2-2 0:0")
    rows = rank("AB", results, ["points", "draw"], given={"draw": {"A": 8, "B": 7}})
    assert sentences_of(rows, ["points", "draw"]) == [
        "Level on points with the next player, ahead by lot.",
        "Level on points with the player above, behind by lot.",
    ]
    # A has 9 of the three's points; B and C have 3 each, and are told apart by their own two matches alone.
    results = read_results(
        "A B 5-0 1:0 \n C A 1-4 1:1 \n B C 3-2 1:1 \n B x 3-2 1:1 \n x B 2-3 1:1 \n C x 3-2 1:1 \n x C 2-3 1:1"
    )
    rows = rank("ABC", results, ["points", "head-to-head"])
    assert sentences_of(rows, ["points", "head-to-head"])[2] == (
        "Level on points with the player above, behind on points in matches between the tied."
    )


def test_entrants_who_share_a_place_are_level_on_everything():
    rows = rank("ABCD", read_results("A B 2-2 0:0 \n C D 5-0 1:0"), ["points"])
    assert [row.place for row in rows] == [1, 2, 2, 4]
    assert [[reason.code for reason in reasons] for reasons in explain(rows, ["points"])] == [
        ["ahead"],
        ["behind", "shared"],
        ["shared", "ahead"],
        ["behind"],
    ]
    assert sentences_of(rows[1:3], ["points"]) == ["Shares this place: level on everything that decides the table."] * 2


def test_a_row_without_neighbours_and_one_decided_by_what_orders_no_more_have_no_reason():
    rows = rank("AB", read_results("A B 5-0 1:0"), ["points"])
    assert explain(rows[:1], ["points"]) == [()]
    assert explain(rows, ["wins"]) == [(), ()]
    assert explain([], ["points"]) == []


@given(competitions(), METRIC_LISTS, LOTS)
def test_both_sides_of_a_gap_tell_the_same_and_tell_it_truly(competition, tiebreaks, lots):
    entrants, results = competition
    rows = rank(entrants, results, tiebreaks, given=numbers_from_outside(lots))
    explained = explain(rows, tiebreaks)
    for (upper, lower), (above, below) in zip(pairwise(rows), pairwise(explained), strict=True):
        high, low = above[-1], below[0]
        assert (high.tiebreak, high.level_on, high.own, high.other) == (low.tiebreak, low.level_on, low.other, low.own)
        if upper.place == lower.place:
            assert high.code == low.code == ReasonCode.SHARED
            continue
        assert (high.code, low.code) == (ReasonCode.AHEAD, ReasonCode.BEHIND)
        assert high.level_on == tuple(tiebreaks[: tiebreaks.index(high.tiebreak)])
        if high.own:
            numbers = upper.values[high.tiebreak], lower.values[high.tiebreak]
            assert (high.own, high.other) == tuple(map(write_number, numbers))
            assert numbers[0] > numbers[1]


@given(competitions(), METRIC_LISTS, LOTS, st.integers(0, 8), st.integers(0, 8))
def test_a_part_is_explained_as_the_whole_is_but_for_its_edges(competition, tiebreaks, lots, start, stop):
    entrants, results = competition
    rows = rank(entrants, results, tiebreaks, given=numbers_from_outside(lots))
    assert explain(rows[start:stop], tiebreaks)[1:-1] == explain(rows, tiebreaks)[start:stop][1:-1]


def test_every_tiebreak_has_a_name():
    assert TIEBREAK_NAMES.keys() == TIEBREAKS.keys()
