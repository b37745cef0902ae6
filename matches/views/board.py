"""Pictures as the board templates want them, and the trail of the last move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules_engine.picture import Figure, Picture, Route
from rules_engine.values import Side

UNIT = 100
"""Units of the drawing to a space."""


@dataclass(frozen=True, slots=True)
class DrawnSpace:
    """A space with its column and row, and in words what is on it."""

    name: str
    x: int
    y: int
    kind: str
    label: str


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """A figure with the column and row where it stands; ``space`` is ``None`` before it does."""

    side: str
    number: int
    kind: str
    space: str | None
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class DrawnBall:
    """The ball; ``shared`` when a figure has it at its feet."""

    space: str | None
    x: int
    y: int
    shared: bool


@dataclass(frozen=True, slots=True)
class Point:
    """A point in units of the drawing."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"{self.x},{self.y}"


@dataclass(frozen=True, slots=True)
class Trail:
    """The way that a move took: ``walk`` and ``kick`` are points as a polyline wants them."""

    side: str
    walk: str
    kick: str
    touches: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A picture to be drawn. ``flipped`` turns it round for the side that plays downwards."""

    spaces: tuple[DrawnSpace, ...]
    figures: tuple[DrawnFigure, ...]
    ball: DrawnBall
    trail: Trail | None
    last: frozenset[str]
    flipped: bool
    summary: str

    @property
    def columns(self) -> tuple[DrawnSpace, ...]:
        """The bottom row: where the files' letters are painted."""
        lowest = max(space.y for space in self.spaces)
        return tuple(space for space in self.spaces if space.y == lowest)

    @property
    def rows(self) -> tuple[DrawnSpace, ...]:
        """The left column: where the ranks' numbers are painted."""
        return tuple(space for space in self.spaces if space.x == 0)


def draw_board(
    picture: Picture, *, flipped: bool = False, route: Route | None = None, mover: str = "", summary: str = ""
) -> Board:
    """Return a picture ready for its template, with the trail of ``mover``'s last move."""
    places = {space.name: (space.x, space.y) for space in picture.spaces}
    standing = {figure.space: figure for figure in picture.figures if figure.space}
    return Board(
        spaces=tuple(
            DrawnSpace(space.name, space.x, space.y, space.kind, _label(space.name, standing, picture.ball))
            for space in picture.spaces
        ),
        figures=tuple(
            DrawnFigure(figure.side.value, figure.number, figure.kind, figure.space, *places.get(figure.space or "", (0, 0)))
            for figure in picture.figures
        ),
        ball=DrawnBall(picture.ball, *places.get(picture.ball or "", (0, 0)), shared=picture.ball in standing),
        trail=_trail(route, mover, places) if route else None,
        last=frozenset({*route.walk[:1], *route.walk[-1:], *route.kick[-1:]} if route else ()),
        flipped=flipped,
        summary=summary,
    )


def name_figure(figure: Figure) -> str:
    """Return what a figure is called when the board is read aloud."""
    names = {
        (Side.YELLOW, True): _("yellow goalie"),
        (Side.YELLOW, False): _("yellow player"),
        (Side.RED, True): _("red goalie"),
        (Side.RED, False): _("red player"),
    }
    return f"{names[figure.side, figure.kind == 'goalie']} {figure.number}"


def _label(name: str, standing: dict[str | None, Figure], ball: str | None) -> str:
    words = [name_figure(standing[name])] if name in standing else []
    if name == ball:
        words.append(_("ball"))
    return ", ".join([name, *(words or [_("empty")])])


def _trail(route: Route, mover: str, places: dict[str, tuple[int, int]]) -> Trail:
    def points(names: Iterable[str]) -> tuple[Point, ...]:
        return tuple(Point(*(UNIT * place + UNIT // 2 for place in places[name])) for name in names)

    return Trail(
        side=mover,
        walk=" ".join(map(str, points(route.walk))),
        kick=" ".join(map(str, points(route.kick))),
        touches=points(route.touches),
    )
