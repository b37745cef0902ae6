"""The picture of a position, as data: points, lines and words, so that drawing it needs no knowledge of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from rules_engine.messages import Message
from rules_engine.values import Side

Point = tuple[float, float]
"""A point in units of spaces, ``(0, 0)`` being the board's top left corner."""


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

    @property
    def middle(self) -> Point:
        """Return the point in the middle of the space."""
        return self.x + 0.5, self.y + 0.5


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: its side, its number, its kind in the game's own word, its space, and what it is called.

    ``space`` is ``None`` while the figure is not on the board: it comes later, or ``is_out`` for good. A side has one
    figure on a space at most; in some games an opponent may share it. ``badge`` is the game's own word for a sign that
    it bears, such as a card.
    """

    side: Side
    number: int
    kind: str
    space: str | None
    label: Message
    badge: str = ""
    is_out: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A painted line through points."""

    points: tuple[Point, ...]
    kind: str = "line"

    @classmethod
    def box(cls, left: float, top: float, right: float, bottom: float) -> Line:
        """Return the four sides of a rectangle."""
        return cls(((left, top), (right, top), (right, bottom), (left, bottom), (left, top)))


@dataclass(frozen=True, slots=True)
class Segment:
    """A line that a side has drawn in the course of play, from the middle of one space to that of another."""

    start: str
    end: str
    side: Side


@dataclass(frozen=True, slots=True)
class Tally:
    """A count of a side that stands beside the board.

    ``kind`` is the game's own word for it, ``text`` what stands there, ``label`` the same in words.
    """

    side: Side
    kind: str
    text: str
    label: Message


@dataclass(frozen=True, slots=True)
class Picture:
    """A whole position to be drawn.

    Those of the ``figures`` that are not on the board yet stand in the order in which they come. ``tallies`` are what
    is counted beside the board. ``marks`` are the spaces from which a ball that is not in play may be brought into it,
    ``segments`` what was drawn in play, in its order. ``labels`` says what is on each space, by the space's name.

    ``targets`` are groups of spaces that count as one when one of them is chosen. ``corners`` are the points
    where a ball is drawn that crosses the board's edge into a space, by the space's name.
    """

    columns: int
    rows: int
    spaces: tuple[Space, ...]
    lines: tuple[Line, ...]
    figures: tuple[Figure, ...]
    ball: str | None
    marks: tuple[str, ...] = ()
    segments: tuple[Segment, ...] = ()
    labels: Mapping[str, Message] = field(default_factory=dict, hash=False)
    targets: tuple[tuple[str, ...], ...] = ()
    corners: Mapping[str, Point] = field(default_factory=dict, hash=False)
    tallies: tuple[Tally, ...] = ()

    @property
    def latest(self) -> tuple[Segment, ...]:
        """Return the segments at the end that one side has drawn without the other."""
        run = takewhile(lambda each: each.side is self.segments[-1].side, reversed(self.segments))
        return self.segments[len(self.segments) - len(list(run)) :]


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
