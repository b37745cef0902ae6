"""The geometry of StreetSoccer: spaces, areas and directions, by name (rules: Geometry).

A space is a small integer; a set of spaces is an ``int`` with one bit a space. Rows are nine bits
wide, the ninth being a gap, so that no shift ever wraps from file h to file a.
"""

from typing import Final

from rules_engine.values import BySide, Side

FILES: Final = "abcdefgh"
RANKS: Final = 12
STRIDE: Final = 9

NORTH: Final = STRIDE
EAST: Final = 1
SOUTH: Final = -STRIDE
WEST: Final = -1
ORTHOGONAL: Final = (NORTH, EAST, SOUTH, WEST)
DIRECTIONS: Final = (
    NORTH,
    NORTH + EAST,
    EAST,
    SOUTH + EAST,
    SOUTH,
    SOUTH + WEST,
    WEST,
    NORTH + WEST,
)
"""The eight directions of a kick, clockwise: neighbours in this tuple are 45 degrees apart."""


def space(name: str) -> int:
    """Return the number of the space called ``name``; raises ``KeyError`` off the board."""
    return NUMBERS[name]


def mask(names: str) -> int:
    """Return the set of the spaces named in a text such as ``"d1 e1"``."""
    spaces = 0
    for name in names.split():
        spaces |= 1 << NUMBERS[name]
    return spaces


NAMES: Final[dict[int, str]] = {
    rank * STRIDE + file: f"{letter}{rank}" for rank in range(RANKS) for file, letter in enumerate(FILES)
}
NUMBERS: Final[dict[str, int]] = {name: number for number, name in NAMES.items()}

BOARD: Final = mask(" ".join(NUMBERS))
PITCH: Final = mask(" ".join(f"{file}{rank}" for file in "bcdefg" for rank in range(1, 11)))
"""The spaces inside the lines: the only ones where the ball can be."""

GOALS: Final = BySide(mask("d0 e0"), mask("d11 e11"))
KEEPER_SPACES: Final = BySide(mask("d1 e1"), mask("d10 e10"))
PENALTY_AREAS: Final = BySide(mask("d1 e1 d2 e2"), mask("d9 e9 d10 e10"))
HALVES: Final = BySide(
    mask(" ".join(f"{file}{rank}" for file in "bcdefg" for rank in range(1, 6))),
    mask(" ".join(f"{file}{rank}" for file in "bcdefg" for rank in range(6, 11))),
)
CENTRE_CIRCLE: Final = BySide(mask("d5 e5"), mask("d6 e6"))
"""Each side's own part of the centre circle."""

BORDERLINES: Final = (
    mask(" ".join(f"b{rank}" for rank in range(1, 11))),
    mask(" ".join(f"g{rank}" for rank in range(1, 11))),
    mask(" ".join(f"{file}1" for file in "bcdefg")),
    mask(" ".join(f"{file}10" for file in "bcdefg")),
)
"""Files b and g, ranks 1 and 10, in this order (S19)."""

WALKABLE: Final = BOARD & ~GOALS.yellow & ~GOALS.red
"""The spaces where a player may walk and stand: everywhere but in the goals."""

FORWARD: Final = BySide(NORTH, SOUTH)
"""The straight direction towards the opponent's goal."""


def goal_of(number: int) -> Side | None:
    """Return whose keeper space this is, ``None`` if it is none."""
    for side in Side:
        if KEEPER_SPACES[side] >> number & 1:
            return side
    return None
