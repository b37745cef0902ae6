"""The double elimination: two losses and out, whatever the number of entrants and the results."""

from collections import Counter, defaultdict
from itertools import pairwise, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.double_elimination import DoubleElimination, DoubleEliminationOptions
from formats.options import options_of
from formats.protocol import FromSeed, FromTie, Outcome, Outline, Part, Place, TieKey
from formats.ties import TieState, number_parts
from tests.formats.brackets import make_record, play, play_on, resolve, walk

FORMAT = DoubleElimination()
PLAIN = DoubleEliminationOptions(legs=1, replays=0)
ONE_FINAL = DoubleEliminationOptions(legs=1, replays=0, reset=False)
SIZES = [*range(3, 18), 31, 32, 33, 100, 256]

sizes = pytest.mark.parametrize("size", SIZES)


@sizes
def test_everybody_but_the_champion_loses_twice_and_the_champion_at_most_once(size):
    random = Random(size)
    ties = FORMAT.draw_ties(size, PLAIN)
    assert len(ties) == 2 * size - 1
    for _ in range(10):
        ends = walk(ties, lambda *pair: random.choice(pair))
        losses = Counter(loser for _winner, loser in ends.values())
        champion = list(ends.values())[-1][0]
        assert losses.pop(champion, 0) == len(ends) - (2 * size - 2) <= 1
        assert losses == dict.fromkeys(set(range(1, size + 1)) - {champion}, 2)


@sizes
def test_without_a_second_final_only_its_loser_may_have_lost_once(size):
    ties = FORMAT.draw_ties(size, ONE_FINAL)
    assert len(ties) == 2 * size - 2
    assert list(FORMAT.draw_ties(size, PLAIN))[:-1] == list(ties)
    final = ties[-1]
    assert (final.key.part, final.key.slot) == (Part.FINAL, 0)
    for choose in (min, max):
        losses = Counter(loser for _winner, loser in walk(ties, choose).values())
        assert sorted(losses.values()).count(1) <= 2


@sizes
def test_every_tie_sends_its_winner_and_in_the_winners_bracket_its_loser_to_one_later_round(size):
    ties = FORMAT.draw_ties(size, PLAIN)
    taken = Counter(source for tie in ties for source in (tie.first, tie.second))
    assert set(taken.values()) == {1}
    assert {source.seed for source in taken if isinstance(source, FromSeed)} == set(range(1, size + 1))
    for tie in ties:
        goes_down = tie.key.part in {Part.MAIN, Part.FINAL}
        assert (FromTie(tie.key, Outcome.LOSER) in taken) == goes_down
        assert (FromTie(tie.key, Outcome.WINNER) in taken) == (tie.key.part is not Part.RESET)
        for source in (tie.first, tie.second):
            assert not isinstance(source, FromTie) or source.tie.round < tie.key.round
    assert len({tie.key for tie in ties}) == len(ties)
    assert {tie.key.round for tie in ties} == set(range(1, ties[-1].key.round + 1))


@sizes
def test_nobody_plays_twice_in_a_round_or_waits_for_longer_than_byes_let_them(size):
    random = Random(size)
    played = defaultdict(list)
    for key, ends in walk(FORMAT.draw_ties(size, PLAIN), lambda *pair: random.choice(pair)).items():
        for entrant in ends:
            played[entrant].append(key.round)
    for rounds in played.values():
        assert len(set(rounds)) == len(rounds)
    if size & (size - 1) == 0:
        assert all(later - round_ <= 2 for rounds in played.values() for round_, later in pairwise(rounds))


@sizes
def test_only_the_top_seeds_have_byes(size):
    byes = (1 << (size - 1).bit_length()) - size
    starts = {
        source.seed: tie.key.round
        for tie in FORMAT.draw_ties(size, PLAIN)
        for source in (tie.first, tie.second)
        if isinstance(source, FromSeed)
    }
    assert starts == {seed: 2 if seed <= byes else 1 for seed in range(1, size + 1)}
    assert FORMAT.outline(size, PLAIN).byes == byes


def test_the_draw_of_four_by_hand():
    winners, losers = Part.MAIN, Part.LOSERS
    one, two, top = TieKey(1, winners, 0), TieKey(1, winners, 1), TieKey(2, winners, 0)
    low, last, final = TieKey(2, losers, 0), TieKey(3, losers, 0), TieKey(4, Part.FINAL, 0)
    won, lost = Outcome.WINNER, Outcome.LOSER
    drawn = {tie.key: (tie.first, tie.second, tie.only_if_lost_by) for tie in FORMAT.draw_ties(4, PLAIN)}
    assert drawn == {
        one: (FromSeed(1), FromSeed(4), None),
        two: (FromSeed(2), FromSeed(3), None),
        top: (FromTie(one, won), FromTie(two, won), None),
        low: (FromTie(one, lost), FromTie(two, lost), None),
        last: (FromTie(top, lost), FromTie(low, won), None),
        final: (FromTie(top, won), FromTie(last, won), None),
        TieKey(5, Part.RESET, 0): (FromTie(final, lost), FromTie(final, won), FromTie(top, won)),
    }


def test_of_three_the_first_loser_waits_for_the_second():
    drawn = [(tie.key.round, tie.key.part) for tie in FORMAT.draw_ties(3, PLAIN)]
    assert drawn == [(1, Part.MAIN), (2, Part.MAIN), (3, Part.LOSERS), (4, Part.FINAL), (5, Part.RESET)]


@pytest.mark.parametrize(
    ("size", "orders"),
    [
        (8, [[2, 1], [1]]),
        (16, [[2, 1, 4, 3], [2, 1], [1]]),
        (32, [[8, 7, 6, 5, 4, 3, 2, 1], [3, 4, 1, 2], [1, 2], [1]]),
        (64, [[*range(16, 0, -1)], [5, 6, 7, 8, 1, 2, 3, 4], [4, 3, 2, 1], [1, 2], [1]]),
        (
            128,
            [[*range(32, 0, -1)], [*range(9, 17), *range(1, 9)], [2, 1, 4, 3, 6, 5, 8, 7], [2, 1, 4, 3], [2, 1], [1]],
        ),
    ],
)
def test_the_orders_in_which_losers_come_down(size, orders):
    found = defaultdict(list)
    for tie in FORMAT.draw_ties(size, PLAIN):
        first = tie.first
        is_later = tie.key.part is Part.LOSERS and tie.key.round > 2
        if is_later and isinstance(first, FromTie) and first.tie.part is Part.MAIN:
            found[tie.key.round].append(first.tie.slot + 1)
    assert list(found.values()) == orders


@pytest.mark.parametrize(("size", "rounds"), [(8, 2), (16, 2), (32, 4), (64, 5), (128, 6), (256, 6), (1024, 6)])
def test_ties_of_the_winners_bracket_are_not_repeated_in_the_first_rounds_of_the_losers_bracket(size, rounds):
    ties = [tie for tie in FORMAT.draw_ties(size, ONE_FINAL) if tie.key.round <= rounds + 1]
    may_come: dict[TieKey, frozenset[int]] = {}
    may_have_met: dict[frozenset[int], int] = {}
    for tie in ties:
        first, second = (
            frozenset([source.seed]) if isinstance(source, FromSeed) else may_come[source.tie]
            for source in (tie.first, tie.second)
        )
        may_come[tie.key] = first | second
        pairs = {frozenset(pair) for pair in product(first, second)}
        if tie.key.part is Part.MAIN:
            may_have_met |= dict.fromkeys(pairs, tie.key.round)
        else:
            assert all(may_have_met.get(pair, tie.key.round) >= tie.key.round for pair in pairs)


def test_rounds_are_numbered_within_their_part():
    ties = FORMAT.draw_ties(6, PLAIN)
    assert number_parts((tie.key.round, tie.key.part) for tie in ties) == {
        (Part.MAIN, 1): 1,
        (Part.MAIN, 2): 2,
        (Part.MAIN, 4): 3,
        (Part.LOSERS, 3): 1,
        (Part.LOSERS, 4): 2,
        (Part.LOSERS, 5): 3,
        (Part.FINAL, 6): 1,
        (Part.RESET, 7): 1,
    }


def test_the_second_final_is_played_if_the_first_is_the_first_loss_of_the_winners_bracket():
    record = play(FORMAT, PLAIN, 4, lambda first, second: 2 if 2 in (first, second) else min(first, second))
    resolved = resolve(FORMAT, PLAIN, record)
    assert resolved[TieKey(4, Part.FINAL, 0)].winner == 2
    assert resolved[TieKey(5, Part.RESET, 0)].state is TieState.OFF
    assert FORMAT.places(record, PLAIN, ()) == [Place(2, 1), Place(1, 2), Place(3, 3), Place(4, 4)]


def test_until_the_second_final_is_over_nobody_is_first():
    record = make_record(4)
    for _ in range(3):
        record = play_on(FORMAT, PLAIN, record, min)
    record = play_on(FORMAT, PLAIN, record, max)
    second_final = resolve(FORMAT, PLAIN, record)[TieKey(5, Part.RESET, 0)]
    assert (second_final.state, second_final.first, second_final.second) == (TieState.OPEN, 1, 2)
    assert FORMAT.places(record, PLAIN, ()) == [Place(3, 3), Place(4, 4), Place(1, None), Place(2, None)]
    assert not FORMAT.is_over(record, PLAIN)
    over = play_on(FORMAT, PLAIN, record, min)
    assert FORMAT.places(over, PLAIN, ())[:2] == [Place(1, 1), Place(2, 2)]
    assert FORMAT.is_over(over, PLAIN)


@given(st.integers(3, 40), st.booleans(), st.randoms(use_true_random=False))
def test_places_follow_the_round_of_the_last_loss(size, reset, random):
    options = DoubleEliminationOptions(legs=1, replays=0, reset=reset)
    record = play(FORMAT, options, size, lambda *pair: random.choice(pair))
    places = {each.entrant: each.place for each in FORMAT.places(record, options, ())}
    out = {}
    for key, tie in resolve(FORMAT, options, record).items():
        if tie.state is TieState.DECIDED:
            out[tie.loser] = key.round
            champion = tie.winner
    out[champion] = 10**6
    assert places == {entrant: 1 + sum(other > round_ for other in out.values()) for entrant, round_ in out.items()}


@pytest.mark.parametrize(
    ("size", "options", "outline"),
    [
        (3, PLAIN, Outline(5, 5, 5, byes=1)),
        (8, PLAIN, Outline(7, 15, 7)),
        (8, DoubleEliminationOptions(reset=False), Outline(6, 56, 24)),
    ],
)
def test_the_outline_counts_rounds_matches_and_byes(size, options, outline):
    assert FORMAT.outline(size, options) == outline


def test_its_options():
    assert {each.name: each.default for each in options_of(DoubleEliminationOptions)} == {
        "legs": 2,
        "replays": 1,
        "reset": True,
    }


@pytest.mark.parametrize(
    ("options", "last"),
    [
        (PLAIN, "If the winner of the losers' bracket wins the final, a second final decides."),
        (ONE_FINAL, "The final is played once, even if it is the first loss of the winner of the winners' bracket."),
    ],
)
def test_players_are_told_what_a_loss_and_the_final_come_to(options, last):
    sentences = [sentence % parameters for sentence, parameters in FORMAT.describe(options)]
    assert sentences[-2:] == [
        "After your first loss you go on in the losers' bracket. After your second you are out.",
        last,
    ]
