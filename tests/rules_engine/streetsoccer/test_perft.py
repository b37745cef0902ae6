"""The number of sequences of actions from fixed positions with fixed dice, depth by depth.

The naive generator found the same counts, to the last one, before they were written down here.
"""

from dataclasses import dataclass

import pytest

from rules_engine.registry import get_game
from rules_engine.values import Nature


@dataclass(frozen=True)
class Row:
    """A position, the die of each action in turn, and how many sequences of one, two, three … actions there are."""

    preset: str
    position: str
    dice: tuple[int, ...]
    counts: tuple[int, ...]


ROWS = {
    "opening": Row(
        "board", "kick-off 1.1 yellow 3 e1,d5,e4,c7,f8 d10,e6,c8,f3,b4 - 0-0 -", (3, 4, 2), (41, 4417, 188602)
    ),
    "opening-online": Row(
        "online", "kick-off 1.1 yellow 3 d1,d5,e4,c7,f8 e10,e6,c8,f3,b4 - 0-0 -", (3, 4, 2), (41, 4435, 189494)
    ),
    "midfield": Row("board", "play 3.1 yellow 4 d1,c3,f5,b7,g2 e10,f9,c5,h6,e7 d5 0-0 -", (4, 3), (144, 12103)),
    "midfield-low-dice": Row(
        "board", "play 3.1 yellow 2 d1,c3,f5,b7,g2 e10,f9,c5,h6,e7 d5 0-0 -", (2, 1, 2), (41, 974, 40324)
    ),
    "midfield-ones": Row(
        "board", "play 3.1 yellow 1 d1,c3,f5,b7,g2 e10,f9,c5,h6,e7 d5 0-0 -", (1, 1, 1, 1), (19, 472, 9256, 213601)
    ),
    "many-passes": Row("board", "play 9.2 red 6 e1,c5,d4,f6,e8 d10,d6,e6,c3,g7 e5 0-0 -", (6, 5), (236, 50392)),
    "many-passes-online": Row("online", "play 9.2 red 6 e1,c5,d4,f6,e8 d10,d6,e6,c3,g7 e5 0-0 -", (6, 5), (236, 50504)),
    "corner": Row("board", "play 5.1 yellow 3 c2,b3,d4,e3,f9 d10,a1,c1,b4,e2 b2 0-0 -", (3, 2, 3), (98, 2461, 202354)),
    "keeper-space": Row(
        "board", "play 5.1 yellow 2 d1,f10,e8,d9,c10 d8,f9,c9,b10,g10 e10 0-0 -", (2, 3, 2), (52, 2774, 74036)
    ),
    "keeper-space-online": Row(
        "online", "play 5.1 yellow 2 d1,f10,e8,d9,c10 d8,f9,c9,b10,g10 e10 0-0 -", (2, 3, 2), (53, 2968, 79908)
    ),
    "restart": Row("board", "restart 4.2 red - d1,c8,f8,e6,b5 d6,d9,g7,c3,f2 - 1-0 yellow", (2, 3, 2), (2, 26, 1286)),
    "restart-online": Row("online", "restart 4.2 red 5 d1,c8,f8,e6,b5 d6,d9,g7,c3,f2 - 1-0 yellow", (5, 2), (37, 1632)),
}
rows = pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)


def count(state, dice):
    """Return the number of sequences, one action a die; each die is rolled where one is wanted."""
    if state.turn is Nature.CHANCE:
        state = state.play(str(dice[0]))
    moves = state.legal_moves()
    return sum(count(state.play(move), dice[1:]) for move in moves) if dice[1:] else len(moves)


@rows
def test_the_engine_counts(row):
    state = get_game(f"streetsoccer-{row.preset}").read(row.position)

    assert tuple(count(state, row.dice[:depth]) for depth in range(1, len(row.dice) + 1)) == row.counts
