"""Elo and permanent ranks: worked examples, and what must hold for all matches."""

from decimal import Decimal
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.values import BySide, Side
from tournaments.models.elo import RatedMatch, RatingState, expected_score, name_rank, rank_of, rate, replay

YELLOW, RED = Side.YELLOW, Side.RED
RATINGS = st.decimals(1000, 2800, places=4)
STATES = st.builds(RatingState, RATINGS, st.integers(0, 80), st.integers(0, 80))
MATCHES = st.lists(
    st.builds(
        lambda pair, winner: RatedMatch(pair[0], pair[1], winner),
        st.lists(st.sampled_from("ABCD"), min_size=2, max_size=2, unique=True),
        st.sampled_from([YELLOW, RED, None]),
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("yellow", "red", "games", "winner", "after"),
    [
        ("1500", "1500", (0, 0), YELLOW, ("1530.0000", "1470.0000")),
        ("1500", "1500", (0, 0), None, ("1500.0000", "1500.0000")),
        ("1500", "1700", (0, 0), YELLOW, ("1545.5848", "1654.4152")),
        ("1500", "1700", (0, 0), None, ("1515.5848", "1684.4152")),
        ("1500", "1700", (0, 0), RED, ("1485.5848", "1714.4152")),
        ("1500", "1500", (1, 29), RED, ("1470.5000", "1515.5000")),
        ("1500", "1500", (30, 500), YELLOW, ("1515.0000", "1485.0000")),
        ("1005", "1005", (0, 0), RED, ("1000.0000", "1035.0000")),
        ("1000", "2400", (60, 60), RED, ("1000.0000", "2400.0095")),
    ],
)
def test_worked_examples(yellow, red, games, winner, after):
    before = BySide(RatingState(Decimal(yellow), games[0]), RatingState(Decimal(red), games[1]))
    changes = rate(before, winner)
    assert tuple(str(change.after.rating) for change in changes) == after
    assert [change.after.games for change in changes] == [games[0] + 1, games[1] + 1]
    assert [change.after.wins for change in changes] == [winner is YELLOW, winner is RED]


@pytest.mark.parametrize(("games", "k"), [(0, 60), (1, 59), (29, 31), (30, 30), (31, 30), (1000, 30)])
def test_k_falls_by_one_a_game_to_thirty(games, k):
    assert RatingState(games=games).k == k


@given(RATINGS, RATINGS)
def test_the_expectation_is_elos_formula(own, other):
    assert isclose(expected_score(own, other), 1 / (1 + 10 ** ((float(other) - float(own)) / 400)), rel_tol=1e-12)
    assert abs(expected_score(own, other) + expected_score(other, own) - 1) < Decimal("1e-25")


@given(STATES, STATES, st.sampled_from([YELLOW, RED, None]))
def test_a_match_moves_nobody_below_the_floor_nor_by_more_than_k(yellow, red, winner):
    for change in rate(BySide(yellow, red), winner):
        assert change.after.rating >= 1000
        assert abs(change.points) <= change.before.k
        assert change.after.rating.as_tuple().exponent == -4


@given(STATES, RATINGS, st.sampled_from([YELLOW, RED, None]))
def test_equal_k_gives_one_what_it_takes_from_the_other_above_the_floor(yellow, rating, winner):
    red = RatingState(rating, yellow.games)
    changes = rate(BySide(yellow, red), winner)
    if all(change.after.rating > 1000 for change in changes):
        assert changes.yellow.points == -changes.red.points


@given(STATES, STATES, st.sampled_from([YELLOW, RED, None]))
def test_sides_do_not_matter(yellow, red, winner):
    swapped = rate(BySide(red, yellow), winner and winner.opponent)
    assert rate(BySide(yellow, red), winner) == BySide(swapped.red, swapped.yellow)


@pytest.mark.parametrize(
    ("number", "name", "rating", "wins"),
    [
        (1, "19 kyu", 1250, 1),
        (2, "18 kyu", 1300, 3),
        (3, "17 kyu", 1350, 6),
        (19, "1 kyu", 2150, 190),
        (20, "1 dan", 2200, 210),
        (21, "2 dan", 2250, 231),
    ],
)
def test_the_ranks_of_the_rules(number, name, rating, wins):
    assert name_rank(number) == name
    assert rank_of(Decimal(rating), wins) == number
    assert rank_of(Decimal(rating) - Decimal("0.0001"), wins) == number - 1
    assert rank_of(Decimal(rating), wins - 1) == number - 1


def test_everybody_starts_at_20_kyu():
    assert name_rank(RatingState().rank) == "20 kyu"
    assert rank_of(Decimal(1500), 0) == 0


def test_a_rank_is_kept_for_ever():
    before = RatingState(Decimal(1251), games=40, wins=3, rank=2)
    lost = rate(BySide(before, RatingState(Decimal(1251), 40)), RED).yellow
    assert lost.after.rating < 1250
    assert lost.after.rank == 2


def test_a_win_can_bring_a_rank():
    change = rate(BySide(RatingState(wins=2), RatingState()), YELLOW).yellow
    assert (change.before.rank, change.after.rank) == (0, 2)


@given(MATCHES)
def test_replaying_all_matches_gives_what_rating_them_one_by_one_gave(matches):
    states = dict.fromkeys("ABCD", RatingState())
    changes = []
    for match in matches:
        change = rate(BySide(states[match.yellow], states[match.red]), match.winner)
        states |= {match.yellow: change.yellow.after, match.red: change.red.after}
        changes.append(change)
    replayed, replayed_changes = replay(matches)
    assert dict.fromkeys("ABCD", RatingState()) | replayed == states
    assert replayed_changes == changes


@given(MATCHES)
def test_ranks_never_fall_and_changes_join_without_a_gap(matches):
    _, changes = replay(matches)
    last = dict.fromkeys("ABCD", RatingState())
    for match, change in zip(matches, changes, strict=True):
        for entrant, own in ((match.yellow, change.yellow), (match.red, change.red)):
            assert own.before == last[entrant]
            assert own.after.rank >= own.before.rank
            last[entrant] = own.after
