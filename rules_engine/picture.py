"""What a position looks like, as data: the board's template and plain text draw it."""

from __future__ import annotations

from dataclasses import dataclass

from rules_engine.values import Side


@dataclass(frozen=True, slots=True)
class Space:
    """A space that can hold a figure or the ball.

    ``x`` counts columns from the left, ``y`` rows from the top, both from 0.
    ``kind`` is the game's own word for it (``"pitch"``, ``"outside"``, ``"goal"``).
    """

    name: str
    x: int
    y: int
    kind: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its side, its shirt number, its kind (``"goalie"``, ``"outfielder"``), its space.

    ``space`` is ``None`` while the figure is not on the board yet.
    """

    side: Side
    number: int
    kind: str
    space: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """A painted line through points in units of spaces, ``(0, 0)`` being the board's top left corner."""

    points: tuple[tuple[float, float], ...]
    kind: str = "line"


@dataclass(frozen=True, slots=True)
class Segment:
    """A line that a side has drawn in the course of play, from the middle of one space to that of another."""

    start: str
    end: str
    side: Side


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole position to be drawn.

    ``marks`` are the spaces from which a ball that is not in play may be brought into it, ``segments`` what was
    drawn in play, in its order.
    """

    columns: int
    rows: int
    spaces: tuple[Space, ...]
    lines: tuple[Line, ...]
    figures: tuple[Figure, ...]
    ball: str | None
    marks: tuple[str, ...] = ()
    segments: tuple[Segment, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """One way to play a move, for a preview or an animation.

    ``walk`` are the spaces from the figure's first to its last, ``kick`` the spaces that the ball
    enters from its own on (names of spaces; a goal ends with the goal's or the end line's space),
    ``touches`` those of ``kick`` where a figure plays it, ``shift`` where the figure is moved
    afterwards, if it is.
    """

    walk: tuple[str, ...] = ()
    kick: tuple[str, ...] = ()
    touches: tuple[str, ...] = ()
    shift: str | None = None
