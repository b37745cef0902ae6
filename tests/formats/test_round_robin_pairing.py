"""Round robin: the published Berger tables as they are printed, and what must hold for every size."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.pairing.round_robin import berger_table, meet_all, schedule
from formats.sides import Balance
from rules_engine.values import BySide

PUBLISHED = {
    4: """
        1-4 2-3
        4-3 1-2
        2-4 3-1
    """,
    6: """
        1-6 2-5 3-4
        6-4 5-3 1-2
        2-6 3-1 4-5
        6-5 1-4 2-3
        3-6 4-2 5-1
    """,
    8: """
        1-8 2-7 3-6 4-5
        8-5 6-4 7-3 1-2
        2-8 3-1 4-7 5-6
        8-6 7-5 1-4 2-3
        3-8 4-2 5-1 6-7
        8-7 1-6 2-5 3-4
        4-8 5-3 6-2 7-1
    """,
    10: """
        1-10 2-9 3-8 4-7 5-6
        10-6 7-5 8-4 9-3 1-2
        2-10 3-1 4-9 5-8 6-7
        10-7 8-6 9-5 1-4 2-3
        3-10 4-2 5-1 6-9 7-8
        10-8 9-7 1-6 2-5 3-4
        4-10 5-3 6-2 7-1 8-9
        10-9 1-8 2-7 3-6 4-5
        5-10 6-4 7-3 8-2 9-1
    """,
    12: """
        1-12 2-11 3-10 4-9 5-8 6-7
        12-7 8-6 9-5 10-4 11-3 1-2
        2-12 3-1 4-11 5-10 6-9 7-8
        12-8 9-7 10-6 11-5 1-4 2-3
        3-12 4-2 5-1 6-11 7-10 8-9
        12-9 10-8 11-7 1-6 2-5 3-4
        4-12 5-3 6-2 7-1 8-11 9-10
        12-10 11-9 1-8 2-7 3-6 4-5
        5-12 6-4 7-3 8-2 9-1 10-11
        12-11 1-10 2-9 3-8 4-7 5-6
        6-12 7-5 8-4 9-3 10-2 11-1
    """,
    14: """
        1-14 2-13 3-12 4-11 5-10 6-9 7-8
        14-8 9-7 10-6 11-5 12-4 13-3 1-2
        2-14 3-1 4-13 5-12 6-11 7-10 8-9
        14-9 10-8 11-7 12-6 13-5 1-4 2-3
        3-14 4-2 5-1 6-13 7-12 8-11 9-10
        14-10 11-9 12-8 13-7 1-6 2-5 3-4
        4-14 5-3 6-2 7-1 8-13 9-12 10-11
        14-11 12-10 13-9 1-8 2-7 3-6 4-5
        5-14 6-4 7-3 8-2 9-1 10-13 11-12
        14-12 13-11 1-10 2-9 3-8 4-7 5-6
        6-14 7-5 8-4 9-3 10-2 11-1 12-13
        14-13 1-12 2-11 3-10 4-9 5-8 6-7
        7-14 8-6 9-5 10-4 11-3 12-2 13-1
    """,
    16: """
        1-16 2-15 3-14 4-13 5-12 6-11 7-10 8-9
        16-9 10-8 11-7 12-6 13-5 14-4 15-3 1-2
        2-16 3-1 4-15 5-14 6-13 7-12 8-11 9-10
        16-10 11-9 12-8 13-7 14-6 15-5 1-4 2-3
        3-16 4-2 5-1 6-15 7-14 8-13 9-12 10-11
        16-11 12-10 13-9 14-8 15-7 1-6 2-5 3-4
        4-16 5-3 6-2 7-1 8-15 9-14 10-13 11-12
        16-12 13-11 14-10 15-9 1-8 2-7 3-6 4-5
        5-16 6-4 7-3 8-2 9-1 10-15 11-14 12-13
        16-13 14-12 15-11 1-10 2-9 3-8 4-7 5-6
        6-16 7-5 8-4 9-3 10-2 11-1 12-15 13-14
        16-14 15-13 1-12 2-11 3-10 4-9 5-8 6-7
        7-16 8-6 9-5 10-4 11-3 12-2 13-1 14-15
        16-15 1-14 2-13 3-12 4-11 5-10 6-9 7-8
        8-16 9-7 10-6 11-5 12-4 13-3 14-2 15-1
    """,
}


def read_table(text):
    rows = [row.split() for row in text.strip().splitlines()]
    return [[tuple(map(int, pair.split("-"))) for pair in row] for row in rows]


@pytest.mark.parametrize("size", PUBLISHED)
def test_the_table_is_the_published_one(size):
    assert berger_table(size) == read_table(PUBLISHED[size])


@pytest.mark.parametrize("players", range(4, 17))
def test_the_schedule_of_4_to_16_players_is_the_published_one_with_byes_against_the_missing(players):
    size = players + players % 2
    for number, (row, found) in enumerate(
        zip(read_table(PUBLISHED[size]), schedule(range(1, players + 1)), strict=True)
    ):
        byes = [sum(pair) - size for pair in row if size in pair] if players % 2 else [None]
        assert found.number == number + 1
        assert list(found.pairs) == [BySide(*pair) for pair in row if players == size or size not in pair]
        assert [found.bye] == byes


@given(st.integers(2, 100))
def test_everybody_meets_everybody_once_and_plays_or_rests_once_a_round(players):
    rounds = schedule(range(players))
    met = Counter(frozenset(pair) for each in rounds for pair in each.pairs)
    assert met == Counter(map(frozenset, combinations(range(players), 2)))
    assert len(rounds) == players - 1 + players % 2
    for each in rounds:
        busy = [entrant for pair in each.pairs for entrant in pair]
        assert sorted([*busy, *([] if each.bye is None else [each.bye])]) == list(range(players))
    assert Counter(each.bye for each in rounds if each.bye is not None) == (
        Counter(range(players)) if players % 2 else Counter()
    )


@given(st.integers(2, 40))
def test_sides_are_as_balanced_as_they_can_be(players):
    rounds = schedule(range(players))
    yellow = Counter(pair.yellow for each in rounds for pair in each.pairs)
    red = Counter(pair.red for each in rounds for pair in each.pairs)
    assert {abs(yellow[entrant] - red[entrant]) for entrant in range(players)} == ({0} if players % 2 else {1})


@given(st.integers(2, 16))
def test_the_second_cycle_is_the_first_with_sides_swapped(players):
    single, double = schedule(range(players)), schedule(range(players), cycles=2)
    assert double[: len(single)] == single
    assert [each.number for each in double] == list(range(1, 2 * len(single) + 1))
    for first, second in zip(single, double[len(single) :], strict=True):
        assert second.pairs == tuple(BySide(pair.red, pair.yellow) for pair in first.pairs)
        assert second.bye == first.bye


@pytest.mark.parametrize(("entrants", "cycles"), [("", 1), ("A", 1), ("AA", 1), ("AB", 0)])
def test_a_round_robin_without_two_entrants_or_a_cycle_is_refused(entrants, cycles):
    with pytest.raises(ValueError, match="two different entrants"):
        schedule(entrants, cycles)


@pytest.mark.parametrize("size", [0, 1, 3, -2])
def test_a_table_of_another_size_is_refused(size):
    with pytest.raises(ValueError, match="even number"):
        berger_table(size)


@given(st.integers(2, 30))
def test_however_many_come_late_nobody_is_yellow_more_than_once_more_often_than_anybody_else(size):
    seated = list(range(size))
    balance = Balance(
        {each: hash((each, size)) for each in range(40)}, (pair for each in schedule(seated) for pair in each.pairs)
    )
    as_yellow = Counter(pair.yellow for each in schedule(seated) for pair in each.pairs)
    for latecomer in range(size, 40):
        pairs = list(meet_all(latecomer, seated, 1, balance, lambda _: True))
        assert Counter(map(frozenset, pairs)) == Counter(frozenset((latecomer, other)) for other in seated)
        as_yellow.update(pair.yellow for pair in pairs)
        seated.append(latecomer)
        counts = [as_yellow[each] for each in seated]
        assert max(counts) - min(counts) <= 1


def test_a_latecomer_of_two_cycles_meets_everybody_from_both_sides_and_they_count():
    balance = Balance({"A": 0, "B": 1, "C": 2}, [BySide("A", "B"), BySide("B", "A")])
    pairs = list(meet_all("C", "AB", 2, balance, lambda _: True))
    assert pairs == [BySide("C", "B"), BySide("A", "C"), BySide("B", "C"), BySide("C", "A")]
    # Everybody has been Yellow twice; of C and A, C was it last.
    assert balance.give("C", "A") == BySide("A", "C")
    assert balance.give("C", "A") == BySide("C", "A")
