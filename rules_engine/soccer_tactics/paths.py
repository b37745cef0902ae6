"""The paths of pawns (T4) and of the ball (T6): straight or diagonally, with at most one change of direction."""

from collections.abc import Iterator
from functools import cache

from rules_engine.soccer_tactics.board import (
    DIRECTIONS,
    STRIDE,
    column_of,
    distance,
    row_of,
    square_at,
    squares_of,
    within,
)

Path = tuple[int, ...]
"""The squares that are entered, in their order."""


def _turns(first: int, *, ball: bool) -> list[int]:
    """Return the directions to which a path that began in ``first`` can change."""
    east, north = DIRECTIONS[first]
    if ball:
        return [
            turn
            for turn, (column, row) in enumerate(DIRECTIONS)
            if turn != first and east * column >= 0 and north * row >= 0
        ]
    return [turn for turn in range(len(DIRECTIONS)) if (turn - first) % 4]


def _line(start: int, direction: int, steps: int) -> Path | None:
    """Return the squares of a straight line, ``None`` if it leaves the board."""
    column, row = column_of(start), row_of(start)
    east, north = DIRECTIONS[direction]
    squares = tuple(square_at(column + east * step, row + north * step) for step in range(1, steps + 1))
    return None if None in squares else tuple(square for square in squares if square is not None)


def find_paths(start: int, steps: int, *, ball: bool) -> Iterator[Path]:
    """Yield every path of exactly so many steps on the board, those without a change of direction first."""
    for direction in range(len(DIRECTIONS)):
        if (straight := _line(start, direction, steps)) is not None:
            yield straight
    for before in range(1, steps):
        for direction in range(len(DIRECTIONS)):
            if (first := _line(start, direction, before)) is None:
                continue
            for turn in _turns(direction, ball=ball):
                if (second := _line(first[-1], turn, steps - before)) is not None:
                    yield first + second


@cache
def ball_ends(start: int, steps: int) -> int:
    """Return the set of the squares where a ball that is played exactly so many steps can end: nobody blocks it."""
    ends = 0
    for path in find_paths(start, steps, ball=True):
        ends |= 1 << path[-1]
    return ends


@cache
def _through(start: int, steps: int) -> tuple[tuple[int, int], ...]:
    """Return each path of a pawn as the set of the squares that it goes through and the set of its last one."""
    paths = {(sum(1 << square for square in path[:-1]), 1 << path[-1]) for path in find_paths(start, steps, ball=False)}
    return tuple(sorted(paths))


@cache
def _open_ends(start: int, steps: int) -> int:
    """Return the set of the squares where a pawn can end whom nobody blocks."""
    ends = 0
    for _, end in _through(start, steps):
        ends |= end
    return ends


@cache
def _entries(start: int, steps: int, end: int) -> tuple[int, ...]:
    """Return what each path of at most so many steps to a square goes through, as few sets as say it all."""
    sets = {through for length in range(1, steps + 1) for through, last in _through(start, length) if last == 1 << end}
    return tuple(one for one in sorted(sets) if not any(other != one and other & one == other for other in sets))


def pawn_ends(start: int, steps: int, opponents: int, allowed: int) -> int:
    """Return the set of the squares where a pawn can end that moves with a die, its own side aside (T4, T5).

    It goes through ``allowed`` squares only, exactly ``steps``, or fewer to an opponent's square, where it stops.
    """
    near = within(start, steps)
    blocked = opponents | ~allowed
    if not blocked & near & ~(1 << start):
        return _open_ends(start, steps)
    ends = 0
    for through, end in _through(start, steps):
        if not through & blocked:
            ends |= end
    ends &= allowed & ~opponents
    for opponent in squares_of(opponents & allowed & near & ~(1 << start)):
        for through in _entries(start, steps, opponent):
            if not through & blocked:
                ends |= 1 << opponent
                break
    return ends


def find_pawn_path(start: int, end: int, steps: int, opponents: int, allowed: int) -> Path:
    """Return a path of a pawn that can end there: the fewest steps, and where it can be without a change of direction.

    Raises ``ValueError`` if there is none.
    """
    blocked = opponents | ~allowed
    for length in range(1 if opponents >> end & 1 else steps, steps + 1):
        for path in _paths_to(start, end, length, ball=False):
            if not any(blocked >> square & 1 for square in path[:-1]):
                return path
    raise ValueError(f"no path of {steps} from {start} to {end}")


def find_ball_path(start: int, end: int, steps: int) -> Path:
    """Return a path of the ball that ends there, without a change of direction where it can be.

    Raises ``ValueError`` if there is none.
    """
    for path in _paths_to(start, end, steps, ball=True):
        return path
    raise ValueError(f"no path of {steps} from {start} to {end}")


def _paths_to(start: int, end: int, steps: int, *, ball: bool) -> Iterator[Path]:
    """Yield those of ``find_paths`` that end on a square."""
    if distance(start, end) > steps:
        return
    numbers = [east + STRIDE * north for east, north in DIRECTIONS]
    for before in (steps, *range(1, steps)):
        for direction, number in enumerate(numbers):
            for turn in [direction] if before == steps else _turns(direction, ball=ball):
                if start + before * number + (steps - before) * numbers[turn] != end:
                    continue
                first = _line(start, direction, before)
                second = first and _line(first[-1], turn, steps - before)
                if first is not None and second is not None:
                    yield first + second
