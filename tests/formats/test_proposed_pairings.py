"""Pairings before they are published: swaps, and what speaks against a pairing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.pairing.proposed import Pairings, PairingWarning, Past, find_warnings
from rules_engine.values import BySide, Side

ROUND = Pairings((BySide("a", "b"), BySide("c", "d")), ("e",), ("f",))


def test_two_players_take_each_others_places():
    assert ROUND.swap("a", "d").pairs == (BySide("d", "b"), BySide("c", "a"))


def test_opponents_change_sides():
    assert ROUND.swap("c", "d") == Pairings((BySide("a", "b"), BySide("d", "c")), ("e",), ("f",))


def test_a_bye_is_given_to_somebody_else():
    assert ROUND.swap("e", "b") == Pairings((BySide("a", "e"), BySide("c", "d")), ("b",), ("f",))


@pytest.mark.parametrize("pair", [("a", "a"), ("a", "f"), ("a", "stranger")])
def test_nobody_is_swapped_with_who_has_no_place_to_give(pair):
    with pytest.raises(ValueError, match="cannot be swapped"):
        ROUND.swap(*pair)


def test_changes_name_the_places_in_which_others_are():
    assert list(ROUND.swap("e", "b").changes_since(ROUND)) == [(("a", "b"), ("a", "e")), (("e",), ("b",))]
    assert not list(ROUND.swap("e", "b").swap("e", "b").changes_since(ROUND))


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde")), max_size=8))
def test_everybody_has_one_place_whatever_is_swapped(swaps):
    pairings = ROUND
    for one, other in swaps:
        if one != other:
            pairings = pairings.swap(one, other)
    assert sorted(pairings.everybody) == sorted(ROUND.everybody)
    assert [len(place) for place in pairings.places] == [len(place) for place in ROUND.places]


def test_warnings_name_what_speaks_against_pairings():
    past = {
        "a": Past(met=frozenset("b"), sides=(Side.RED, Side.YELLOW, Side.YELLOW)),
        "b": Past(met=frozenset("a"), sides=(Side.RED, Side.YELLOW, Side.RED)),
        "c": Past(is_gone=True),
        "d": Past(sides=(Side.RED,)),
        "e": Past(had_bye=True),
        "f": Past(had_bye=True),
        "late": Past(),
        "left": Past(is_gone=True),
    }
    warnings = find_warnings(ROUND, past)
    assert warnings.pairs == {
        BySide("a", "b"): ((PairingWarning.MET_BEFORE, "a"), (PairingWarning.SIDE_AGAIN, "a")),
        BySide("c", "d"): ((PairingWarning.GONE, "c"),),
    }
    assert warnings.byes == {"e": (PairingWarning.SECOND_BYE,)}
    assert warnings.missing == ("late",)
