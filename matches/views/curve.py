"""The curve of the chance of winning: coordinates in per cent of the picture, so that it fits any width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

HEIGHT = 100
"""The height of what is stretched over the picture; its width is the number of moves."""

MIDDLE = HEIGHT // 2

PERCENTS = (75, 50, 25)


@dataclass(frozen=True, slots=True)
class Level:
    """A line across the picture with its ``y`` from the top, and the chance of the side that is ahead there."""

    percent: int
    y: int


LEVELS = tuple(Level(max(percent, 100 - percent), 100 - percent) for percent in PERCENTS)


@dataclass(frozen=True, slots=True)
class Place:
    """A point of the curve: ``x`` from the left and ``y`` from the top, in per cent."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Strip:
    """The part of the picture over one move, in per cent from the left."""

    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Curve:
    """Yellow's chance from the bottom (none) to the top (certain): above the middle Yellow is ahead, below it Red.

    ``line`` and ``area``, what is between the line and the middle, are SVG paths over a width of ``moves`` and
    ``HEIGHT``. ``places`` and ``strips`` have one for each move judged so far.
    """

    moves: int
    judged: int
    line: str
    area: str
    places: tuple[Place, ...]
    strips: tuple[Strip, ...]
    height: int = HEIGHT
    middle: int = MIDDLE
    lines: tuple[Level, ...] = LEVELS


def draw_curve(chances: Sequence[float], *, moves: int) -> Curve:
    """Return the curve of the chance before the first move and after each one that was judged, of so many moves.

    Raises ``ValueError`` without any chance.
    """
    if not chances:
        raise ValueError("a curve begins with a chance")
    heights = [round(HEIGHT * (1 - chance), 2) for chance in chances]
    points = [f"{number} {height:g}" for number, height in enumerate(heights)]
    line = f"M{'L'.join(points)}"
    width = max(1, moves)
    places = tuple(Place(round(100 * number / width, 3), height) for number, height in enumerate(heights[1:], start=1))
    return Curve(
        moves=width,
        judged=len(places),
        line=line,
        area=f"{line}V{MIDDLE}H0Z",
        places=places,
        strips=tuple(
            Strip(round(100 * (number - 0.5) / width, 3), round(100 / width, 3)) for number in range(1, len(chances))
        ),
    )
