"""Brackets of every size, and whole cups played through them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.knock_out import KnockOut, KnockOutOptions
from formats.pairing.elimination import count_rounds, seed_lines
from formats.pairing.legs import decide_tie
from formats.protocol import DrawnTie, FromSeed, FromTie, Outcome, Part, TieKey
from formats.sides import sides_of_leg
from formats.tiebreaks import Result
from rules_engine.values import BySide
from tests.formats.results import POINTS
from tests.formats.seeded_brackets import fill_bracket, final_places

SIZES = [*range(2, 71), 128, 512, 1024]

sizes = pytest.mark.parametrize("size", [pytest.param(size, marks=pytest.mark.samples(12)) for size in SIZES])


def draw_bracket(size, *, third_place=False):
    return KnockOut().draw_ties(size, KnockOutOptions(third_place=third_place))


def is_third_place(tie: DrawnTie) -> bool:
    return tie.key.part is Part.THIRD_PLACE


def play_cup(size, decide, *, third_place=False):
    """Play all ties as soon as both entrants are known; return the bracket, who met in which tie, and the winners."""
    bracket = draw_bracket(size, third_place=third_place)
    seeded = list(range(1, size + 1))
    winners: dict[Any, Any] = {}
    while len(winners) < len(bracket):
        open_ties = {
            tie: pair
            for tie, pair in fill_bracket(bracket, seeded, winners).items()
            if tie not in winners and None not in pair
        }
        assert open_ties, "the cup has stalled"
        winners |= {tie: decide(*pair) for tie, pair in open_ties.items()}
    return bracket, fill_bracket(bracket, seeded, winners), winners


def play_goalless(first, second):
    """Decide a tie of which every leg and replay ends without a goal."""
    results: list[Any] = []
    while not (decision := decide_tie(min(first, second), max(first, second), results)).winner:
        leg = len(results) + 1
        assert leg <= decision.legs_due
        sides = sides_of_leg(first, second, leg)
        results.append(Result(sides.yellow, sides.red, BySide(2, 2), BySide(0, 0)))
    assert len(results) == 4
    return decision.winner


@sizes
def test_a_cup_has_one_tie_less_than_entrants_and_its_third_place_tie(size):
    assert len(draw_bracket(size)) == size - 1
    with_third_place = draw_bracket(size, third_place=True)
    assert [tie for tie in with_third_place if not is_third_place(tie)] == list(draw_bracket(size))
    assert sum(is_third_place(tie) for tie in with_third_place) == (size >= 4)


@sizes
def test_only_the_top_seeds_have_byes_and_never_against_each_other(size):
    bracket = draw_bracket(size)
    byes = 2 ** count_rounds(size) - size
    first_played: dict[Any, Any] = {}
    for tie in bracket:
        for source in (tie.first, tie.second):
            if isinstance(source, FromSeed):
                assert first_played.setdefault(source.seed, tie.key.round) == tie.key.round
    assert set(first_played) == set(range(1, size + 1))
    assert {seed for seed, number in first_played.items() if number == 2} == set(range(1, byes + 1))
    assert set(first_played.values()) <= {1, 2}
    lines = seed_lines(count_rounds(size))
    assert not any(one > size and other > size for one, other in zip(lines[::2], lines[1::2], strict=True))


@sizes
def test_the_winners_of_two_neighbouring_slots_meet_in_the_slot_between_them(size):
    bracket = draw_bracket(size)
    assert len({(tie.key.round, tie.key.slot) for tie in bracket}) == len(bracket)
    for tie in bracket:
        for place, source in enumerate((tie.first, tie.second)):
            if isinstance(source, FromTie):
                assert source.outcome is Outcome.WINNER
                assert source.tie == TieKey(tie.key.round - 1, Part.MAIN, 2 * tie.key.slot + place)


@sizes
def test_while_no_lower_seed_wins_each_round_keeps_the_top_seeds_and_first_and_second_meet_in_the_final(size):
    bracket, met, winners = play_cup(size, min)
    rounds = count_rounds(size)
    for tie, pair in met.items():
        assert sum(pair) == 2 ** (rounds - tie.key.round + 1) + 1
    assert met[bracket[-1]] == (1, 2)
    places = final_places(bracket, range(1, size + 1), winners)
    assert places[1] == 1
    assert all(places[seed] == 2 ** (seed - 1).bit_length() // 2 + 1 for seed in range(2, size + 1))


@sizes
def test_all_goalless_the_higher_seed_goes_on_in_every_tie_after_a_replay(size):
    bracket, met, winners = play_cup(size, play_goalless, third_place=True)
    assert all(winners[tie] == min(met[tie]) for tie in bracket)


@given(st.integers(2, 80), st.booleans(), st.randoms(use_true_random=False))
def test_first_and_second_seed_can_only_meet_in_the_final_whatever_the_results(size, third_place, random):
    bracket, met, winners = play_cup(size, lambda *pair: random.choice(pair), third_place=third_place)
    for tie, pair in met.items():
        if set(pair) == {1, 2}:
            assert tie.key.round == count_rounds(size)
    assert sorted(final_places(bracket, range(1, size + 1), winners).items()) == places_naively(met, winners)


def places_naively(met, winners):
    """Return everybody's place: one more than the number of those who got further."""
    entrants = {entrant for pair in met.values() for entrant in pair}
    reached = dict.fromkeys(entrants, 0.0)
    for tie, pair in met.items():
        for entrant in pair:
            worth = tie.key.round - is_third_place(tie)
            reached[entrant] = max(reached[entrant], worth + 0.5 * (winners[tie] == entrant))
    return sorted((entrant, 1 + sum(reached[other] > reached[entrant] for other in entrants)) for entrant in entrants)


@given(st.integers(2, 40), st.integers(1, 2), st.integers(0, 2), st.integers(0, 2**32))
def test_any_results_bring_a_cup_to_its_winner(size, legs, replays, seed):
    random = Random(seed)

    def play(first, second):
        results: list[Any] = []
        while not (
            decision := decide_tie(min(first, second), max(first, second), results, legs=legs, replays=replays)
        ).winner:
            assert len(results) < decision.legs_due <= legs + 2 * replays
            sides = sides_of_leg(first, second, len(results) + 1)
            goals = BySide(random.randrange(2), random.randrange(2))
            results.append(Result(sides.yellow, sides.red, random.choice(POINTS), goals))
        return decision.winner

    bracket, met, winners = play_cup(size, play, third_place=random.choice([True, False]))
    assert all(winners[tie] in met[tie] for tie in bracket)


@pytest.mark.parametrize(("rounds", "lines"), [(0, [1]), (1, [1, 2]), (2, [1, 4, 3, 2]), (3, [1, 8, 5, 4, 3, 6, 7, 2])])
def test_the_standard_order_of_lines(rounds, lines):
    assert seed_lines(rounds) == lines


def test_places_of_a_cup_that_still_goes_on_are_those_of_who_is_out():
    bracket = draw_bracket(4, third_place=True)
    semi_final = bracket[0]
    assert fill_bracket(bracket, "ABCD", {semi_final: "A"}) == {
        bracket[0]: ("A", "D"),
        bracket[1]: ("C", "B"),
        bracket[2]: ("A", None),
        bracket[3]: ("D", None),
    }
    assert final_places(bracket, "ABCD", {semi_final: "A"}) == {}
    winners = {bracket[0]: "A", bracket[1]: "C", bracket[3]: "B"}
    assert final_places(bracket, "ABCD", winners) == {"B": 3, "D": 4}
    assert final_places(bracket, "ABCD", winners | {bracket[2]: "C"}) == {"A": 2, "B": 3, "C": 1, "D": 4}
    short = draw_bracket(4)
    assert final_places(short, "ABCD", {short[0]: "A"}) == {"D": 3}


@pytest.mark.parametrize("winners", [{0: "B"}, {2: "A"}])
def test_an_entrant_who_was_not_in_a_tie_cannot_have_won_it(winners):
    bracket = draw_bracket(4)
    with pytest.raises(ValueError, match="cannot have won"):
        fill_bracket(bracket, "ABCD", {bracket[index]: winner for index, winner in winners.items()})


def test_a_cup_of_one_is_refused():
    with pytest.raises(ValueError, match="2 entrants"):
        draw_bracket(1)
