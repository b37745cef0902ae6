"""The squares where pawns and the ball can be after a roll, from tables: opponents in the way are ignored.

The squares reached with each face of the die are packed into one ``int``, one board after the other, so that a team's
reach is the union of its pawns'.
"""

from functools import cache, lru_cache
from typing import Final, NamedTuple

from rules_engine.soccer_tactics.board import (
    BOARD,
    HALVES,
    LONG_SHOTS,
    PENALTY_AREAS,
    ROWS,
    STRIDE,
    rows_from_goal_line,
    squares_of,
    within,
)
from rules_engine.soccer_tactics.limits import territory
from rules_engine.soccer_tactics.paths import ball_ends, pawn_ends
from rules_engine.soccer_tactics.team import Squares, role_of
from rules_engine.values import BySide, Side

SIZE: Final = STRIDE * ROWS
"""The number of bits of a set of squares."""

FACES: Final = range(1, 7)
TWO_DICE: Final = range(2, 13)
DIE: Final = 1 / 6

FIRST_SQUARES: Final = sum(1 << SIZE * (face - 1) for face in FACES)
"""The first square of each of the six packed boards: shifted by a square, that square of all of them."""

SHOOTING: Final = BySide(*(PENALTY_AREAS[side] | LONG_SHOTS[side] for side in Side))
"""The squares by whose goal is near on which a direct pass is followed by a shot (T9)."""


def _nearer(side: Side, rows: int) -> int:
    """Return the squares of a side's half that are nearer to its goal line than so many rows."""
    return sum(1 << square for square in squares_of(HALVES[side]) if rows_from_goal_line(square, side) < rows)


OFFSIDE: Final = BySide(*(tuple(_nearer(side, rows) for rows in range(ROWS + 1)) for side in Side))
"""By whose half it is, then by how far its last field player is from the goal line: where opponents are off-side."""


class Team(NamedTuple):
    """A team as the evaluation sees it: sets of squares, and how far its last field player is from its goal line."""

    field: int
    keeper: int
    reach: int
    """The squares that its field players reach, packed by face."""
    keeper_reach: int
    """The squares that its keeper reaches in an attempt."""
    last: int


@lru_cache(maxsize=1 << 14)
def team_of(side: Side, squares: Squares, keeper: int) -> Team:
    """Return the team with pawns on these squares, by shirt, of which ``keeper`` is the keeper's shirt."""
    field = reach = 0
    last = ROWS
    for shirt, square in enumerate(squares, 1):
        if square < 0 or shirt == keeper:
            continue
        field |= 1 << square
        reach |= _reach(square, territory(side, role_of(shirt, keeper)))
        last = min(last, rows_from_goal_line(square, side))
    square = squares[keeper - 1]
    if square < 0:
        return Team(field, 0, reach, 0, last)
    return Team(field, 1 << square, reach, within(square, 1) & HALVES[side] & ~(1 << square) & ~field, last)


@cache
def _reach(square: int, allowed: int) -> int:
    return sum((pawn_ends(square, face, 0, allowed) & BOARD) << SIZE * (face - 1) for face in FACES)


@cache
def ball_faces(square: int) -> tuple[int, ...]:
    """Return for each face of the die the squares where the ball can end."""
    return tuple(ball_ends(square, face) for face in FACES)


@cache
def ball_sums(square: int) -> tuple[tuple[float, int], ...]:
    """Return for each sum of two dice its probability, and the squares where the ball can end."""
    return tuple(((6 - abs(7 - total)) / 36, ball_ends(square, total)) for total in TWO_DICE)


@cache
def faces_between(start: int, end: int) -> int:
    """Return with how many faces of the die the ball can be played from a square to another."""
    return sum(ends >> end & 1 for ends in ball_faces(start))
