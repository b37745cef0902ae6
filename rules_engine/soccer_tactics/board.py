"""The geometry of Soccer Tactics: squares, areas and distances, by name (T1).

A square is a small integer; a set of squares is an ``int`` with one bit a square. Rows are nine bits wide, the ninth
being a gap, so that no shift ever wraps from column h to column a.
"""

from functools import cache
from typing import Final

from rules_engine.values import BySide, Side

COLUMNS: Final = "abcdefgh"
ROWS: Final = 16
STRIDE: Final = 9

DIRECTIONS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""The eight directions as steps of column and row, clockwise: opposites are four apart."""

NAMES: Final[dict[int, str]] = {
    row * STRIDE + column: f"{letter}{row + 1}" for row in range(ROWS) for column, letter in enumerate(COLUMNS)
}
NUMBERS: Final[dict[str, int]] = {name: number for number, name in NAMES.items()}


def mask(names: str) -> int:
    """Return the set of the squares named in a text such as ``"d1 e1"``."""
    return sum(1 << NUMBERS[name] for name in names.split())


def squares_of(squares: int) -> list[int]:
    """Return the squares of a set, the lowest row first."""
    found = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return found


def column_of(square: int) -> int:
    """Return the column of a square, from 0 for column a."""
    return square % STRIDE


def row_of(square: int) -> int:
    """Return the row of a square, from 0 for row 1."""
    return square // STRIDE


def square_at(column: int, row: int) -> int | None:
    """Return the square in a column and a row, both from 0, ``None`` off the board."""
    return row * STRIDE + column if 0 <= column < len(COLUMNS) and 0 <= row < ROWS else None


def mirrored(names: str) -> str:
    """Return the names of the same squares as Red sees them: row r becomes 17 - r."""
    return " ".join(f"{name[0]}{ROWS + 1 - int(name[1:])}" for name in names.split())


def _both(names: str) -> BySide[int]:
    """Return Yellow's squares as a set, and Red's."""
    return BySide(mask(names), mask(mirrored(names)))


def _block(columns: str, rows: range) -> str:
    return " ".join(f"{column}{row}" for row in rows for column in columns)


BOARD: Final = mask(" ".join(NUMBERS))
HALVES: Final = _both(_block(COLUMNS, range(1, 9)))
GOAL_AREAS: Final = _both("d1 e1")
PENALTY_AREAS: Final = _both(_block("cdef", range(1, 4)))
LONG_SHOTS: Final = _both("c4 f4")
"""The long-shot squares by the side whose half they are in: the other side shoots from there."""
CIRCLES: Final = _both("d8 e8")
CIRCLE_ROWS: Final = _both(_block(COLUMNS, range(8, 9)))
"""The rows along the halfway line, in which strikers stand at a kick-off (T13)."""
CORNERS: Final = _both("a1 h1")


def rows_from_goal_line(square: int, side: Side) -> int:
    """Return how many rows a square is away from a side's own goal line."""
    return row_of(square) if side is Side.YELLOW else ROWS - 1 - row_of(square)


def distance(one: int, other: int) -> int:
    """Return the king's distance: the larger of columns and rows."""
    return max(abs(column_of(one) - column_of(other)), abs(row_of(one) - row_of(other)))


def nearness(square: int, to: int, side: Side) -> tuple[int, int, int]:
    """Return a key that sorts squares by how near they are to another, with the rules' order of those equally near.

    Towards the own goal line of ``side``, whose pawn is moved, then the lower column. Then no two are left.
    """
    return distance(square, to), rows_from_goal_line(square, side), column_of(square)


@cache
def by_nearness(to: int, side: Side) -> tuple[int, ...]:
    """Return all other squares, those first to which a pawn of this side is moved first from ``to``."""
    return tuple(sorted((square for square in NAMES if square != to), key=lambda square: nearness(square, to, side)))


@cache
def within(centre: int, radius: int) -> int:
    """Return the set of the squares at no more than this distance, the centre included."""
    return sum(1 << square for square in NAMES if distance(square, centre) <= radius)
