"""The helper that finds rolls without an end finds those that are, and no others."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.protocol import Roll
from rules_engine.soccer_tactics import GAMES
from rules_engine.values import Nature, Side
from tests.rules_engine.playouts import MAX_ROLLED, endless


@dataclass(frozen=True)
class Counting:
    """A state in which a coin is tossed until ``end`` tosses have been made; it has only what ``endless`` asks for."""

    end: int
    tossed: int = 0

    @property
    def turn(self):
        return Side.YELLOW if self.tossed == self.end else Nature.CHANCE

    def chance(self):
        return (Roll("heads", Fraction(1, 2)), Roll("tails", Fraction(1, 2)))

    def play(self, text):
        return Counting(self.end, self.tossed + 1)


@pytest.mark.parametrize(("end", "is_endless"), [(1, False), (MAX_ROLLED // 2, False), (2 * MAX_ROLLED, True)])
def test_rolls_that_do_not_end_as_far_as_one_looks_are_endless(end, is_endless):
    start: Any = Counting(end)
    assert (start in endless(start)) is is_endless


def test_a_shoot_out_may_always_end():
    squares = "d1,b4,d4,e4,g4,a6,c6,f6,h6,d8,e8 d16,b13,d13,e13,g13,a11,c11,f11,h11,d9,e9"
    line = f"shoot-out 5.0 yellow ? {squares} 1-1 -/- - - - 0 -/- 0-0 yellow 0-0/0"
    assert endless(GAMES[0].read(line)) == set()
