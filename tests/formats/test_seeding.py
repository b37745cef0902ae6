"""Seeds by draw, by rating and by hand."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.pairing.seeding import InvalidSeeds, SeedingFault, draw_lot, seed_by_draw, seed_by_hand, seed_by_rating

ENTRANTS = st.lists(st.integers(1, 10_000), unique=True, max_size=40)
SEEDS = st.integers(0, 2**63)


def test_the_draw_stays_what_it_was_for_ever():
    assert seed_by_draw(range(1, 9), 2026) == [6, 4, 5, 8, 3, 7, 1, 2]
    assert draw_lot(2026, 1) == 7739780065240907369


@given(ENTRANTS, SEEDS, st.randoms(use_true_random=False))
def test_same_seed_same_draw_whatever_the_order_of_entry(entrants, seed, random):
    drawn = seed_by_draw(entrants, seed)
    random.shuffle(entrants)
    assert seed_by_draw(entrants, seed) == drawn
    assert sorted(drawn) == sorted(entrants)


@given(ENTRANTS.filter(bool), SEEDS)
def test_a_withdrawal_leaves_the_others_in_their_order(entrants, seed):
    drawn = seed_by_draw(entrants, seed)
    assert seed_by_draw(entrants[1:], seed) == [each for each in drawn if each != entrants[0]]


def test_every_place_in_the_draw_is_about_equally_likely():
    firsts = [seed_by_draw("ABCD", seed)[0] for seed in range(4000)]
    assert all(900 < firsts.count(entrant) < 1100 for entrant in "ABCD")


@given(ENTRANTS, SEEDS)
def test_lots_fit_a_signed_column_of_64_bits(entrants, seed):
    assert all(0 <= draw_lot(seed, entrant) < 2**63 for entrant in entrants)


def test_the_highest_rating_is_seeded_first_and_the_draw_parts_equals():
    ratings = {"A": Decimal(1500), "B": Decimal(1700), "C": Decimal(1500), "D": Decimal(1600)}
    seeded = seed_by_rating("ABCD", ratings, 7)
    assert seeded[:2] == ["B", "D"]
    assert seeded[2:] == [each for each in seed_by_draw("ABCD", 7) if each in "AC"]


def test_chosen_seeds_come_first_and_the_draw_places_the_others():
    assert seed_by_hand("ABCD", ["C", "A"], 7) == [
        "C",
        "A",
        *(each for each in seed_by_draw("ABCD", 7) if each in "BD"),
    ]
    assert seed_by_hand("ABCD", "DCBA", 7) == list("DCBA")


@pytest.mark.parametrize(
    ("chosen", "fault", "strangers"),
    [("AA", SeedingFault.CHOSEN_TWICE, ()), ("AYX", SeedingFault.NOT_ENTERED, ("X", "Y"))],
)
def test_seeds_that_cannot_be_are_refused(chosen, fault, strangers):
    with pytest.raises(InvalidSeeds) as refused:
        seed_by_hand("ABCD", chosen, 7)
    assert (refused.value.fault, refused.value.strangers) == (fault, strangers)
