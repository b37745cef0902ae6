"""The games that a points ladder starts by itself."""

from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.pairing.ladder import Seat, pair_ladder
from formats.sides import Balance


@st.composite
def ladders(draw):
    """Draw seats in order, whom each must not meet, and the number of games wanted."""
    size = draw(st.integers(0, 12))
    seats = [Seat(number, draw(st.integers(0, 3))) for number in range(size)]
    pairs = list(combinations(range(size), 2))
    barred = defaultdict(list)
    for one, other in draw(st.lists(st.sampled_from(pairs), max_size=30)) if pairs else []:
        first, second = draw(st.sampled_from([(one, other), (other, one)]))
        barred[first].append(second)
    return seats, barred, draw(st.integers(1, 3))


def are_barred(barred, one, other):
    return other in barred.get(one, ()) or one in barred.get(other, ())


@given(ladders())
def test_nobody_gets_more_games_than_wanted_nor_one_against_a_forbidden_opponent(ladder):
    seats, barred, games_each = ladder
    games = pair_ladder(seats, barred, games_each=games_each)
    assert len({frozenset(game) for game in games}) == len(games)
    assert not [game for game in games if game[0] == game[1] or are_barred(barred, *game)]
    started = Counter(entrant for game in games for entrant in game)
    assert all(started[seat.entrant] <= max(0, games_each - seat.running) for seat in seats)


@given(ladders())
def test_no_two_are_left_over_who_could_have_played(ladder):
    seats, barred, games_each = ladder
    games = pair_ladder(seats, barred, games_each=games_each)
    met = {frozenset(game) for game in games}
    started = Counter(entrant for game in games for entrant in game)
    left_over = [seat.entrant for seat in seats for _ in range(games_each - seat.running - started[seat.entrant])]

    def can_meet(one, other, ignored=frozenset()):
        pair = frozenset((one, other))
        return one != other and not are_barred(barred, one, other) and (pair not in met or pair == ignored)

    for one, other in combinations(left_over, 2):
        assert not can_meet(one, other)
        for game in games:
            for first, second in (game, game[::-1]):
                assert not (can_meet(one, first) and can_meet(other, second))


@given(ladders())
def test_the_same_ladder_gets_the_same_games(ladder):
    seats, barred, games_each = ladder
    games = pair_ladder(seats, barred, games_each=games_each)
    swapped = {each: set(others) for each, others in reversed(barred.items())}
    assert pair_ladder(seats, swapped, games_each=games_each) == games


def test_neighbours_meet():
    games = pair_ladder([Seat(name, 1) for name in "ABCDEF"], {})
    assert [set(game) for game in games] == [{"A", "B"}, {"C", "D"}, {"E", "F"}]


def test_two_games_each_stay_near():
    games = pair_ladder([Seat(name, 0) for name in "ABCDEF"], {})
    assert sorted("".join(sorted(game)) for game in games) == ["AB", "AC", "BC", "DE", "DF", "EF"]


def test_players_who_met_lately_or_have_games_enough_are_passed_over():
    seats = [Seat("A", 1), Seat("B", 1), Seat("C", 2), Seat("D", 1), Seat("E", 1)]
    assert [set(game) for game in pair_ladder(seats, {"B": ["A"]})] == [{"A", "D"}, {"B", "E"}]


def test_two_left_over_who_met_lately_take_over_a_game_made_before():
    games = pair_ladder([Seat(name, 1) for name in "ABCD"], {"C": ["D"]})
    assert [set(game) for game in games] == [{"A", "C"}, {"B", "D"}]


def test_one_left_over_twice_takes_over_both_sides_of_a_game():
    games = pair_ladder([Seat("A", 1), Seat("B", 1), Seat("C", 0)], {})
    assert [set(game) for game in games] == [{"A", "C"}, {"B", "C"}]


def test_a_ladder_that_goes_on_keeps_sides_balanced_and_finds_new_opponents():
    """Forty rounds of one game each: everybody has Red about as often as Yellow, and nobody waits long."""
    balance = Balance({each: each for each in range(20)})
    as_yellow: Counter[int] = Counter()
    lately: list[Any] = []
    played: Counter[Any] = Counter()
    for _ in range(40):
        barred = defaultdict(list)
        for upper, lower in (game for games in lately[-5:] for game in games):
            barred[upper].append(lower)
        games = pair_ladder([Seat(each, 0) for each in range(20)], barred, games_each=1)
        lately.append(games)
        for game in games:
            as_yellow[balance.give(*game).yellow] += 1
            played.update(game)
    assert all(abs(2 * as_yellow[each] - played[each]) <= 3 for each in range(20))
    assert min(played.values()) >= 38


def test_a_large_ladder_is_paired_whole():
    """Everybody met the two below lately: still all but one game of 20,000 players' are found, all near."""
    seats = [Seat(number, number % 3) for number in range(20_000)]
    games = pair_ladder(seats, {number: (number + 1, number + 2) for number in range(20_000)})
    lacking = sum(2 - seat.running for seat in seats)
    assert len(games) == lacking // 2
    assert max(abs(upper - lower) for upper, lower in games) < 20


def test_two_seats_for_one_are_refused():
    with pytest.raises(ValueError, match="two seats"):
        pair_ladder([Seat("A", 0), Seat("A", 0)], {})
