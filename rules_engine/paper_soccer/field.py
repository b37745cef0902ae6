"""The geometry of Paper Soccer as tables: points, walls, and the 316 segments that can be drawn (P1 to P3).

A point is a small integer in reading order, the three of the north goal first. A set of points is an ``int`` with one
bit a point, and so is a set of segments. A half turn of the field takes point ``n`` to point ``POINTS - 1 - n``.
"""

from typing import Final

from rules_engine.values import BySide

COLUMNS: Final = 9
ROWS: Final = 13
"""Rows of points, the goals' two included."""

DIRECTIONS: Final = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""A step in each direction, clockwise from north: how far east and how far south it goes."""

_NORTH_LINE, _SOUTH_LINE = 0, 10
_WEST_LINE, _EAST_LINE = 0, 8
_MOUTH = range(3, 6)
_CENTRE_COLUMN = 4

PLACES: Final = tuple(
    (x, y)
    for y in range(_NORTH_LINE - 1, _SOUTH_LINE + 2)
    for x in (range(COLUMNS) if _NORTH_LINE <= y <= _SOUTH_LINE else _MOUTH)
)
"""The place of each point: ``x`` counts from the west, ``y`` from the north line; -1 and 11 are in the goals (P1)."""

POINTS: Final = len(PLACES)
NUMBERS: Final = {place: number for number, place in enumerate(PLACES)}

NAMES: Final = tuple(f"{'abcdefghi'[x]}{_SOUTH_LINE + 1 - y}" for x, y in PLACES)
"""The name of each point: files ``a`` to ``i`` from the west, ranks 0 to 12 from the south."""

START: Final = NUMBERS[4, 5]
"""The point where the ball starts (P1)."""


def _set_of(places: list[tuple[int, int]]) -> int:
    return sum(1 << NUMBERS[place] for place in places)


GOALS: Final = BySide(
    yellow=_set_of([(x, _SOUTH_LINE + 1) for x in _MOUTH]),
    red=_set_of([(x, _NORTH_LINE - 1) for x in _MOUTH]),
)
"""The points of the goal that each side defends: Yellow attacks north, Red south."""

WALLS: Final = _set_of(
    [
        (x, y)
        for x, y in PLACES
        if (y in (_NORTH_LINE, _SOUTH_LINE) and x != _CENTRE_COLUMN)
        or (x in (_WEST_LINE, _EAST_LINE) and _NORTH_LINE <= y <= _SOUTH_LINE)
    ]
)
"""The points on a wall, the posts among them, the mouths' centres not (P5)."""

_BOUNCY: Final = WALLS | 1 << START
"""The points at which the ball bounces whatever has been drawn."""


def _is_playable(x: int, y: int, to_x: int, to_y: int) -> bool:
    """Return whether neighbouring points of the field are joined by a step (P2, P3)."""
    in_goal = min(y, to_y) < _NORTH_LINE or max(y, to_y) > _SOUTH_LINE
    if in_goal:
        return y != to_y and _CENTRE_COLUMN in (x, to_x) and {x, to_x} <= set(_MOUTH)
    along_side = x == to_x and x in (_WEST_LINE, _EAST_LINE)
    along_end = y == to_y and y in (_NORTH_LINE, _SOUTH_LINE) and not {x, to_x} <= set(_MOUTH)
    return not (along_side or along_end)


def _find_segments() -> tuple[tuple[int, int], ...]:
    return tuple(
        (number, other)
        for number, (x, y) in enumerate(PLACES)
        for east, south in DIRECTIONS
        if (other := NUMBERS.get((x + east, y + south), -1)) > number and _is_playable(x, y, x + east, y + south)
    )


SEGMENTS: Final = _find_segments()
"""The points that each segment joins, the smaller number first."""

_SEGMENT_NUMBERS = {segment: number for number, segment in enumerate(SEGMENTS)}


def _find_ways(number: int) -> tuple[tuple[str, int, int], ...]:
    x, y = PLACES[number]
    ways = []
    for direction, (east, south) in enumerate(DIRECTIONS):
        other = NUMBERS.get((x + east, y + south), -1)
        segment = _SEGMENT_NUMBERS.get((min(number, other), max(number, other)))
        if segment is not None:
            ways.append((str(direction), other, 1 << segment))
    return tuple(ways)


WAYS: Final = tuple(() if (GOALS.yellow | GOALS.red) >> number & 1 else _find_ways(number) for number in range(POINTS))
"""The steps from each point, clockwise: the digit, the point that it leads to, its segment as a set."""

TOUCHING: Final = tuple(
    sum(1 << segment for segment, ends in enumerate(SEGMENTS) if number in ends) for number in range(POINTS)
)
"""The segments that end at each point, as a set."""

EVER: Final = 1 << len(SEGMENTS)
"""A segment that counts as drawn from the beginning, so that what bounces always is bounced by it."""

StepsByDigit = tuple[dict[str, tuple[int, int, int]], ...]
"""By point and digit, the point that a step leads to, its segment, and the segments by which the ball bounces there."""


def _find_steps(barred: int) -> StepsByDigit:
    bounced_by = [TOUCHING[point] | EVER * (_BOUNCY >> point & 1) for point in range(POINTS)]
    return tuple(
        {digit: (point, segment, bounced_by[point]) for digit, point, segment in ways if not barred >> point & 1}
        for ways in WAYS
    )


STEPS: Final = _find_steps(0)
"""The steps of a side that may draw into any goal."""

BARRED_STEPS: Final = BySide(yellow=_find_steps(GOALS.yellow), red=_find_steps(GOALS.red))
"""The steps of each side where own goals are not allowed."""


def bounces(point: int, drawn: int) -> bool:
    """Return whether the ball bounces when it reaches ``point`` (P5); the step to it is not ``drawn`` yet."""
    return bool(_BOUNCY >> point & 1 or drawn & TOUCHING[point])
