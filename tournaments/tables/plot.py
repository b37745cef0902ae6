"""Plots of a number over time: a rating, or a place, of which the first is at the top."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil, floor, log10

WIDTH = 420
HEIGHT = 210
LEFT = 40
RIGHT = 14
TOP = 14
BOTTOM = 28
MAX_LINES = 5
MAX_DATES = 3
MAX_DOTS = 30


@dataclass(frozen=True, slots=True)
class Reading:
    """The value of the number from a moment on."""

    at: datetime
    value: float


@dataclass(frozen=True, slots=True)
class Line:
    """A horizontal line of the grid and its number."""

    y: float
    value: int


@dataclass(frozen=True, slots=True)
class Date:
    """A moment on the time axis."""

    x: float
    at: datetime


@dataclass(frozen=True, slots=True)
class Dot:
    """A reading as a point of the plot."""

    x: float
    y: float
    reading: Reading


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot of ``WIDTH`` by ``HEIGHT`` pixels: its curve as an SVG path, grid, dates, and dots where they are few."""

    path: str
    lines: tuple[Line, ...]
    dates: tuple[Date, ...]
    dots: tuple[Dot, ...]
    last: Dot
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def draw_plot(readings: Sequence[Reading], *, until: datetime, is_place: bool = False) -> Plot | None:
    """Return the plot of readings in the order of time, the last one held ``until``; ``None`` without readings.

    A place is held until the next one and drawn in steps, the first place at the top; any other
    number goes straight from one reading to the next.
    """
    if not readings:
        return None
    start = readings[0].at
    span = max(until - start, timedelta(seconds=1))
    numbers = [reading.value for reading in readings]
    lines = _grid(min(numbers), max(numbers), at_least=1 if is_place else 0)
    low, high = lines[0], lines[-1]

    def x_of(at: datetime) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * min(1.0, (at - start) / span), 1)

    def y_of(value: float) -> float:
        share = (value - low) / (high - low)
        share = share if is_place else 1 - share
        return round(TOP + (HEIGHT - TOP - BOTTOM) * share, 1)

    dots = tuple(Dot(x_of(reading.at), y_of(reading.value), reading) for reading in readings)
    steps = [
        f"M{dots[0].x} {dots[0].y}",
        *(f"H{dot.x}V{dot.y}" if is_place else f"L{dot.x} {dot.y}" for dot in dots[1:]),
        f"H{x_of(until)}",
    ]
    dates = [start + span * index / (MAX_DATES - 1) for index in range(MAX_DATES)]
    return Plot(
        path="".join(steps),
        lines=tuple(Line(y_of(value), value) for value in lines),
        dates=tuple(Date(x_of(at), at) for at in dates),
        dots=dots if len(dots) <= MAX_DOTS else (),
        last=Dot(x_of(until), dots[-1].y, readings[-1]),
    )


def _grid(low: float, high: float, *, at_least: int) -> list[int]:
    """Return whole numbers at even distances, the ends of the readings between them."""
    step = _step(max(1.0, high - low))
    first = floor(low / step) * step
    last = max(ceil(high / step) * step, first + step)
    return [max(at_least, value) for value in range(first, last + 1, step)]


def _step(span: float) -> int:
    """Return a round distance that gives at most ``MAX_LINES`` lines or so."""
    rough = span / MAX_LINES
    magnitude = 10 ** max(0, floor(log10(rough))) if rough > 0 else 1
    return next(magnitude * factor for factor in (1, 2, 5, 10) if magnitude * factor >= rough)
