"""The board of the naive Soccer Tactics: squares by name, areas, and every way of a pawn and of the ball."""

from functools import cache

BOARD = [f"{column}{row}" for row in range(1, 17) for column in "abcdefgh"]
OTHER = {"yellow": "red", "red": "yellow"}
HOMES = {2: "b4", 3: "d4", 4: "e4", 5: "g4", 6: "a6", 7: "c6", 8: "f6", 9: "h6"}
STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def place(name):
    return "abcdefgh".index(name[0]), int(name[1:])


def name_of(x, y):
    return f"{'abcdefgh'[x]}{y}" if 0 <= x < 8 and 1 <= y <= 16 else None


def seen_by(side, name):
    """Return the square that Yellow would call so, for Red from the other end."""
    return name if side == "yellow" else f"{name[0]}{17 - int(name[1:])}"


def far(one, other):
    (x, y), (u, v) = place(one), place(other)
    return max(abs(x - u), abs(y - v))


def from_line(side, name):
    """Return how many rows a square is from a side's own goal line."""
    return int(seen_by(side, name)[1:]) - 1


def in_half(side, name):
    return from_line(side, name) <= 7


GOAL_AREA = {side: [seen_by(side, name) for name in ("d1", "e1")] for side in OTHER}
PENALTY_AREA = {side: {seen_by(side, f"{column}{row}") for row in (1, 2, 3) for column in "cdef"} for side in OTHER}


@cache
def pawn_paths(start, pips):
    """Return every way of so many steps: straight or diagonally, with one change of direction, any but straight back.

    A way may leave the board: its squares are ``None`` there.
    """
    return _paths(start, pips, lambda one, two: two not in (one, (-one[0], -one[1])))


@cache
def ball_ends(start, pips):
    """Return where the ball can end: no step after the change reverses the columns or rows of those before it."""
    paths = _paths(start, pips, lambda one, two: two != one and one[0] * two[0] >= 0 and one[1] * two[1] >= 0)
    return {path[-1] for path in paths if None not in path}


def _paths(start, pips, may_turn):
    paths = []
    for one in STEPS:
        paths.append([one] * pips)
        for before in range(1, pips):
            paths += [[one] * before + [two] * (pips - before) for two in STEPS if may_turn(one, two)]
    return [_squares(start, path) for path in paths]


def _squares(start, path):
    x, y = place(start)
    squares = []
    for step in path:
        x, y = x + step[0], y + step[1]
        squares.append(name_of(x, y))
    return squares


FIVE_IN_ROW = {name: [name_of(place(name)[0] + step, place(name)[1]) for step in range(5)] for name in BOARD}
FOUR_IN_COLUMN = {name: [name_of(place(name)[0], place(name)[1] + step) for step in range(4)] for name in BOARD}
