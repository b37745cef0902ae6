"""The points ladder: which results count, who is ranked, and what its players are told."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.points_ladder import PointsLadder, PointsLadderOptions, window_start
from formats.protocol import Absence, Game, Record, Seat
from formats.scoring.tiebreaks import Result
from rules_engine.values import BySide
from tests.formats.naive import order_naively

LADDER = PointsLadder()
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
DAY = timedelta(days=1)
EVERYTHING = PointsLadderOptions(window_days=0, min_matches=0)


def make_seats(names):
    return tuple(Seat(name, seed, lot=seed) for seed, name in enumerate(names, start=1))


def beat(winner: Any, loser: Any, number: int = 0, *, points=(5, 0), goals=(1, 0), days_ago: float = 1) -> Game[Any]:
    """Return a finished match that the winner played as Yellow."""
    return Game(
        0,
        BySide(winner, loser),
        points=BySide(*points),
        goals=BySide(*goals),
        ended_at=NOON - days_ago * DAY,
        number=number,
    )


def places(games, options=EVERYTHING, names="ABCD", tiebreaks=LADDER.tiebreaks):
    record = Record(make_seats(names), tuple(games), as_of=NOON)
    return {row.entrant: row.place for row in LADDER.places(record, options, tiebreaks)}


RESULTS = st.lists(
    st.tuples(
        st.permutations("ABCD"),
        st.sampled_from([(5, 0), (4, 1), (3, 2), (2, 2), (0, 5), (0, 0)]),
        st.tuples(st.integers(0, 2), st.integers(0, 2)),
        st.integers(0, 9),
    ),
    max_size=12,
)


@given(RESULTS, st.sampled_from([0, 1, 4, 9]), st.booleans())
def test_the_table_is_the_naive_one_of_the_results_in_the_window(drawn, window, by_results):
    games = [
        beat(names[0], names[1], number, points=points, goals=goals, days_ago=days)
        for number, (names, points, goals, days) in enumerate(drawn)
    ]
    midnight = NOON - timedelta(hours=12)
    counted = [
        Result(game.sides.yellow, game.sides.red, game.points, game.goals)
        for game in games
        if window == 0 or game.ended_at >= midnight - window * DAY
    ]
    tiebreaks = ["points", "head-to-head", "buchholz", "draw"] if by_results else LADDER.tiebreaks
    given_numbers = {"draw": {name: seed for seed, name in enumerate("ABCD", start=1)}}
    expected = order_naively(list("ABCD"), counted, tiebreaks, given_numbers)
    found = places(games, replace(EVERYTHING, window_days=window), tiebreaks=tiebreaks)
    assert [[name] for name in found] == expected
    assert list(found.values()) == [1, 2, 3, 4]


def test_the_window_begins_at_midnight_and_stands_still_all_day():
    assert window_start(NOON, 90) == datetime(2026, 8, 24, tzinfo=UTC)
    assert window_start(NOON + 11 * timedelta(hours=1), 90) == window_start(NOON, 90)
    assert window_start(NOON, 0) is None
    assert window_start(None, 90) is None


def test_a_player_who_has_played_too_little_or_has_left_has_no_place():
    games = [beat("A", "B", 1), beat("A", "B", 2), beat("C", "A", 3), beat("C", "B", 4)]
    options = replace(EVERYTHING, min_matches=3)
    assert places(games, options) == {"A": 1, "B": 2, "C": None, "D": None}
    seats = (replace(make_seats("A")[0], absences=(Absence(NOON),)), *make_seats("ABCD")[1:])
    rows = LADDER.places(Record(seats, tuple(games), as_of=NOON), options, LADDER.tiebreaks)
    assert {row.entrant: row.place for row in rows} == {"B": 1, "A": None, "C": None, "D": None}


def test_results_that_are_out_of_date_do_not_make_a_player_ranked():
    games = [beat("A", "B", 1, days_ago=50), beat("A", "B", 2)]
    assert places(games, PointsLadderOptions(window_days=30, min_matches=2))["A"] is None
    assert places(games, PointsLadderOptions(window_days=60, min_matches=2))["A"] == 1


def test_only_the_best_results_count_for_sums():
    games = [beat("B", "A", 1), beat("A", "C", 2, points=(4, 1)), beat("A", "C", 3, points=(4, 1))]
    assert places(games, EVERYTHING)["A"] == 1
    assert places(games, replace(EVERYTHING, best_results=1)) == {"B": 1, "A": 2, "C": 3, "D": 4}


def test_points_among_the_tied_use_the_same_best_results():
    """B has beaten A, but that is the best result of neither: by their best ones both are level."""
    games = [beat("B", "A", 1, points=(3, 2)), beat("A", "C", 2), beat("B", "D", 3)]
    tiebreaks = ["points", "head-to-head", "draw"]
    found = places(games, replace(EVERYTHING, best_results=1), tiebreaks=tiebreaks)
    assert (found["A"], found["B"]) == (1, 2)
    found = places([*games, beat("A", "D", 4, points=(1, 4))], EVERYTHING, tiebreaks=tiebreaks)
    assert (found["A"], found["B"]) == (2, 1)


def test_of_equal_results_the_better_goals_count_and_then_the_older():
    games = [
        beat("A", "B", 1, goals=(1, 0), days_ago=1),
        beat("A", "C", 2, goals=(3, 0), days_ago=2),
        beat("D", "B", 3, goals=(2, 0), days_ago=3),
    ]
    found = places(games, replace(EVERYTHING, best_results=1), tiebreaks=["points", "goals"])
    assert (found["A"], found["D"]) == (1, 2)


@pytest.mark.parametrize("as_of", [None, NOON])
def test_it_has_no_rounds_and_no_end(as_of):
    record = Record(make_seats("AB"), (beat("A", "B"),), as_of=as_of)
    assert not LADDER.is_over(record, EVERYTHING)
    assert LADDER.next_rounds(record, EVERYTHING, 1) == ()
    assert LADDER.outline(2, EVERYTHING).matches is None


def test_it_tells_what_counts():
    sentences = [template % parameters for template, parameters in LADDER.describe(PointsLadderOptions())]
    assert sentences == [
        "Games start automatically: you play up to 2 at the same time, against players near you.",
        "Results of the last 90 days count.",
        "You are ranked after 3 matches.",
        "If you do not use this site for 30 days, you are removed from the ladder.",
    ]
    options = PointsLadderOptions(window_days=0, best_results=12, min_matches=1, inactive_days=1)
    sentences = [template % parameters for template, parameters in LADDER.describe(options)]
    assert sentences[1:] == [
        "All results count.",
        "Only your best 12 results count.",
        "You are ranked after 1 match.",
        "If you do not use this site for 1 day, you are removed from the ladder.",
    ]
