"""Pictures as the board templates want them, and the trail of the last move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from django.utils.translation import gettext as _

from matches.selectors.replay import Stage
from rules_engine.picture import Figure, Picture, Route, Segment, Space
from rules_engine.values import Side

UNIT = 100
"""Units of the drawing to a space."""
CORNER = 30
"""How far from the middle of a goal's space its corner is."""


@dataclass(frozen=True, slots=True)
class DrawnSpace:
    """A space with its column and row, in words what is on it, and whether lines that were drawn in play meet there."""

    name: str
    x: int
    y: int
    kind: str
    label: str
    is_drawn_to: bool


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
class DrawnSegment:
    """A line that a side has drawn in play; ``latest`` if it belongs to what was drawn without the other side."""

    side: str
    start: Point
    end: Point
    latest: bool


@dataclass(frozen=True, slots=True)
class Board:
    """A picture to be drawn. ``flipped`` turns it round for the side that plays downwards."""

    spaces: tuple[DrawnSpace, ...]
    figures: tuple[DrawnFigure, ...]
    ball: DrawnBall
    segments: tuple[DrawnSegment, ...]
    trail: Trail | None
    marks: tuple[str, ...]
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
    standing: dict[str | None, Figure] = {figure.space: figure for figure in picture.figures if figure.space}
    drawn_to = {name for segment in picture.segments for name in (segment.start, segment.end)}
    return Board(
        spaces=tuple(
            DrawnSpace(
                space.name,
                space.x,
                space.y,
                space.kind,
                _label(space.name, standing, picture),
                space.name in drawn_to,
            )
            for space in picture.spaces
        ),
        figures=tuple(
            DrawnFigure(
                figure.side.value, figure.number, figure.kind, figure.space, *places.get(figure.space or "", (0, 0))
            )
            for figure in picture.figures
        ),
        ball=DrawnBall(picture.ball, *places.get(picture.ball or "", (0, 0)), shared=picture.ball in standing),
        segments=_segments(picture),
        trail=_trail(route, mover, picture) if route else None,
        marks=picture.marks,
        last=_ends(route, picture) if route else frozenset(),
        flipped=flipped,
        summary=summary,
    )


def picture_after(stage: Stage) -> Picture:
    """Return what is to be seen when an event is looked back to: the position after it.

    Where a move has wiped the board, because a new point begins, it is the old board with what the move drew.
    """
    before, after = stage.before.picture(), stage.after.picture()
    if len(after.segments) >= len(before.segments):
        return after
    way = stage.before.route(stage.move.text).kick
    drawn = tuple(Segment(start, end, Side(stage.move.actor)) for start, end in pairwise(way))
    return replace(before, segments=(*before.segments, *drawn), ball=way[-1])


def name_figure(figure: Figure) -> str:
    """Return what a figure is called when the board is read aloud."""
    names = {
        (Side.YELLOW, True): _("yellow goalie"),
        (Side.YELLOW, False): _("yellow player"),
        (Side.RED, True): _("red goalie"),
        (Side.RED, False): _("red player"),
    }
    return f"{names[figure.side, figure.kind == 'goalie']} {figure.number}"


def _label(name: str, standing: dict[str | None, Figure], picture: Picture) -> str:
    words = [name_figure(standing[name])] if name in standing else []
    if name == picture.ball:
        words.append(_("ball"))
    if picture.figures and not words:
        words.append(_("empty"))
    return ", ".join([name, *words])


def _segments(picture: Picture) -> tuple[DrawnSegment, ...]:
    middles = {space.name: Point(_middle(space.x), _middle(space.y)) for space in picture.spaces}
    latest = list(takewhile(lambda each: each.side is picture.segments[-1].side, reversed(picture.segments)))
    older = len(picture.segments) - len(latest)
    return tuple(
        DrawnSegment(segment.side.value, middles[segment.start], middles[segment.end], number >= older)
        for number, segment in enumerate(picture.segments)
    )


def _trail(route: Route, mover: str, picture: Picture) -> Trail:
    spaces = {space.name: space for space in picture.spaces}

    def points(names: Iterable[str]) -> list[Point]:
        return [Point(_middle(spaces[name].x), _middle(spaces[name].y)) for name in names]

    kick = points(route.kick)
    if kick and (end := spaces[route.kick[-1]]).kind == "outside":
        kick[-1] = Point(_into_the_corner(end, picture), kick[-1].y)
    return Trail(
        side=mover,
        walk=" ".join(map(str, points(route.walk))),
        kick=" ".join(map(str, kick)),
        touches=tuple(points(route.touches)),
    )


def _ends(route: Route, picture: Picture) -> frozenset[str]:
    """Return where a route began and where it ended, but for the ends of kicks that are in a goal."""
    inside = {space.name for space in picture.spaces if space.kind == "pitch"}
    return frozenset({*route.walk[:1], *route.walk[-1:], *(inside & {*route.kick[-1:]})})


def _middle(place: int) -> int:
    return UNIT * place + UNIT // 2


def _into_the_corner(end: Space, picture: Picture) -> int:
    """Return where a ball flies that crosses the end line beside the goal's middle: its near corner."""
    goals = [_middle(space.x) for space in picture.spaces if space.kind == "goal" and space.y == end.y]
    near = min(goals, key=lambda x: abs(x - _middle(end.x)), default=_middle(end.x))
    return near + CORNER * ((end.x > near // UNIT) - (end.x < near // UNIT))
