"""The number of sequences of decisions from fixed positions with fixed rolls, depth by depth.

The naive rules found the same counts, as deep as they get here, before they were written down.
"""

from dataclasses import dataclass

import pytest

from rules_engine.soccer_tactics import GAMES
from rules_engine.values import Nature


@dataclass(frozen=True)
class Row:
    """A position, the rolls that come, and how many sequences of one, two, three … decisions there are."""

    position: str
    rolls: tuple[str, ...]
    counts: tuple[int, ...]


START = str(GAMES[0].start())
TEAMS = (
    "c4,b4,d4,e4,f2,a6,c7,f6,h6,g2,f11 d16,g15,d13,e13,g13,g5,c11,c13,h11,c7,a5 1-1 -/- {} - - 0 -/- 0-0 yellow 0-0/0"
)
CROWDED = (
    "d1,c1,d2,e4,g4,a6,c6,f6,h6,e8,b8 e16,b13,d13,e13,g13,a11,c3,f3,d3,e2,f1 1-1 -/- {} - - 0 -/- 0-0 yellow 0-0/0"
)
ROWS = {
    "kick-off": Row(START, ("2", "5", "3"), (2, 14, 28, 140, 560, 1120, 16800)),
    "set": Row("move 2.3 red ? " + TEAMS.format("c13"), ("4", "3"), (298, 7450)),
    "set-with-a-dribble": Row("move 2.3 red ? " + TEAMS.format("c13"), ("2", "1"), (153, 2300)),
    "keeper-has-it": Row("move 2.3 yellow ? " + TEAMS.format("c4"), ("6", "9"), (299, 4485)),
    "free-ball": Row("free 2.3 yellow ? " + TEAMS.format("e9"), ("5", "3", "2"), (345, 2070, 470491)),
    "free-ball-for-red": Row("free 2.3 red ? " + TEAMS.format("e9"), ("1", "6"), (70, 490)),
    "battle": Row("battle 2.3 red ? " + TEAMS.format("c7"), ("5-2", "3", "2"), (208, 4160)),
    "foul": Row("battle 2.3 red ? " + TEAMS.format("c7"), ("6-1", "1", "5"), (8, 2733)),
    "corner": Row("shot 2.3 yellow ? " + TEAMS.format("f11"), ("corner",), (6, 12, 9872)),
    "goal-kick": Row("shot 2.3 red ? " + CROWDED.format("e2"), ("goal-kick", "4", "2"), (2, 34, 5475)),
    "penalty": Row("battle 2.3 red ? " + CROWDED.format("d3").replace("d2,", "d3,"), ("6-1", "no-goal", "6"), (2, 30)),
}
rows = pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)


def count(state, rolls, depth):
    """Return the number of sequences of so many decisions; each roll comes where one is wanted."""
    while state.turn is Nature.CHANCE:
        state, rolls = state.play(rolls[0]), rolls[1:]
    moves = state.legal_moves()
    return sum(count(state.play(move), rolls, depth - 1) for move in moves) if depth > 1 else len(moves)


@rows
def test_the_engine_counts(row):
    state = GAMES[0].read(row.position)
    assert tuple(count(state, row.rolls, depth) for depth in range(1, len(row.counts) + 1)) == row.counts
