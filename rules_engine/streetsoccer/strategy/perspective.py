"""The pitch as one side sees it: turned so that its own goal lies below, with distances and what a ball is worth."""

from typing import Final

from rules_engine.streetsoccer.pitch import FILES, KEEPER_SPACES, NAMES, PITCH, RANKS, STRIDE
from rules_engine.values import BySide, Side

LAST: Final = max(NAMES)
SIZE: Final = LAST + 1
NEAR_GOAL: Final = 0.5
"""The worth of a ball on the opponent's keeper spaces, in goals."""


def turned(number: int, side: Side) -> int:
    """Return this space as Yellow would see it in the place of ``side``: for Red the board is turned by half a turn."""
    return number if side is Side.YELLOW else LAST - number


def in_mirror(number: int) -> int:
    """Return the space as far from the other side line, where the same is worth as much."""
    rank, file = divmod(number, STRIDE)
    return rank * STRIDE + len(FILES) - 1 - file


def _steps(one: int, other: int) -> tuple[int, int]:
    """Return how many ranks and how many files lie between two spaces."""
    (rank, file), (other_rank, other_file) = divmod(one, STRIDE), divmod(other, STRIDE)
    return abs(rank - other_rank), abs(file - other_file)


def _worth(number: int) -> float:
    """Return what a ball on this space is worth to Yellow: the more the nearer it is, for kicks, to Red's goal."""
    if not PITCH >> number & 1:
        return 0.0
    to_goal = min(max(_steps(number, keeper)) for keeper in NAMES if KEEPER_SPACES.red >> keeper & 1)
    return NEAR_GOAL * (1 - to_goal / RANKS) ** 2


WORTH: Final = BySide(
    *(tuple(_worth(turned(number, side)) if number in NAMES else 0.0 for number in range(SIZE)) for side in Side)
)
"""For each side, the value of the ball on a space, in goals."""

DISTANCES: Final = {one: tuple(sum(_steps(one, other)) for other in range(SIZE)) for one in NAMES}
"""The number of steps that a walk from one space to another takes on an empty board."""

FROM_MIDDLE: Final = tuple(abs(number % STRIDE - (len(FILES) - 1) / 2) for number in range(SIZE))
"""The distance of a space from the middle of the board, in files."""
