"""Drawings of positions and moves, for the board's template and for its script."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from matches.selectors.replay import Stage
from rules_engine.picture import Figure, Picture, Point, Segment, Tally
from rules_engine.protocol import State

UNIT = 100
"""Units of the drawing to a space."""


@dataclass(frozen=True, slots=True)
class DrawnSpace:
    """A space with its column and row. ``target`` is the number of the group that is chosen with it, 0 if none."""

    name: str
    x: int
    y: int
    kind: str
    label: str
    target: int


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """A figure with the column and row where it stands; ``space`` is ``None`` where it does not.

    ``look`` are the classes of its drawing, its kind first; ``paired`` if an opponent stands on the same space.
    """

    side: str
    number: int
    kind: str
    look: str
    space: str | None
    x: int
    y: int
    paired: bool


@dataclass(frozen=True, slots=True)
class DrawnBall:
    """The ball; ``shared`` when a figure has it at its feet."""

    space: str | None
    x: int
    y: int
    shared: bool


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line that a side has drawn in play; ``latest`` if it belongs to what was drawn without the other side."""

    side: str
    x1: int
    y1: int
    x2: int
    y2: int
    latest: bool


@dataclass(frozen=True, slots=True)
class TrailLine:
    """The path of one ``piece``, a figure or the ball: ``kind`` is its class, ``points`` are those of a polyline."""

    kind: str
    piece: str
    points: str


@dataclass(frozen=True, slots=True)
class Trail:
    """The trail of a move: its lines, where the ball was played on, and its first and last spaces."""

    lines: tuple[TrailLine, ...]
    touches: tuple[tuple[int, int], ...]
    ends: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A picture ready for its template. ``flipped`` turns it round for the side that plays downwards."""

    spaces: tuple[DrawnSpace, ...]
    figures: tuple[DrawnFigure, ...]
    ball: DrawnBall
    lines: tuple[DrawnLine, ...]
    marks: tuple[str, ...]
    trail: Trail | None
    flipped: bool
    summary: str
    tallies: tuple[Tally, ...]

    @property
    def columns(self) -> tuple[DrawnSpace, ...]:
        """Return the bottom row: where the files' letters are painted."""
        lowest = max(space.y for space in self.spaces)
        return tuple(space for space in self.spaces if space.y == lowest)

    @property
    def rows(self) -> tuple[DrawnSpace, ...]:
        """Return the left column: where the ranks' numbers are painted."""
        return tuple(space for space in self.spaces if space.x == 0)


def draw_board(picture: Picture, *, flipped: bool = False, trail: Trail | None = None, summary: str = "") -> Board:
    """Return a picture ready for its template, with the trail of the last move."""
    places = {space.name: (space.x, space.y) for space in picture.spaces}
    standing = Counter(figure.space for figure in picture.figures)
    targets = {name: number for number, group in enumerate(picture.targets, start=1) for name in group}
    return Board(
        spaces=tuple(
            DrawnSpace(space.name, space.x, space.y, space.kind, picture.labels[space.name], targets.get(space.name, 0))
            for space in picture.spaces
        ),
        figures=tuple(
            DrawnFigure(
                figure.side.value,
                figure.number,
                figure.kind,
                _look(figure),
                figure.space,
                *places.get(figure.space or "", (0, 0)),
                paired=figure.space is not None and standing[figure.space] > 1,
            )
            for figure in picture.figures
        ),
        ball=DrawnBall(picture.ball, *places.get(picture.ball or "", (0, 0)), shared=_is_shared(picture)),
        lines=_draw_lines(picture),
        marks=picture.marks,
        trail=trail,
        flipped=flipped,
        summary=summary,
        tallies=picture.tallies,
    )


def drawing_to_json(picture: Picture) -> dict[str, Any]:
    """Return the drawing for the board's script: pieces by spaces, lines drawn in play by points, and labels.

    ``latest`` is the number of lines at the end that stand out.
    """
    return {
        **pieces_to_json(picture),
        "lines": lines_to_json(picture, picture.segments),
        "latest": len(picture.latest),
    }


def pieces_to_json(picture: Picture) -> dict[str, Any]:
    """Return a drawing without the lines.

    ``waiting`` has the figures that are not on the board yet, in the order in which they come.
    """
    return {
        "figures": {_name(figure): figure.space for figure in picture.figures},
        "looks": {_name(figure): _look(figure) for figure in picture.figures},
        "tallies": [(each.side.value, each.kind, each.text, each.label) for each in picture.tallies],
        "ball": picture.ball,
        "shared": _is_shared(picture),
        "marks": list(picture.marks),
        "labels": dict(picture.labels),
        "waiting": [
            {"figure": _name(figure), "side": figure.side.value, "label": figure.label}
            for figure in picture.figures
            if figure.space is None and not figure.is_out
        ],
    }


def lines_to_json(picture: Picture, segments: Iterable[Segment]) -> list[tuple[str, int, int, int, int]]:
    """Return segments of a picture, each as the side that drew it and two points."""
    lines = list(segments)
    middles = _middles(picture, (name for each in lines for name in (each.start, each.end)))
    return [(each.side.value, *middles[each.start], *middles[each.end]) for each in lines]


def draw_trail(state: State, move: str, picture: Picture | None = None) -> Trail:
    """Return the trail of a move of the side to act; ``picture`` is the state's, where it is at hand."""
    route = state.route(move)
    picture = picture or state.picture()
    middles = _middles(picture, (*route.walk, *route.kick, *route.touches))
    lines = []
    if len(route.walk) > 1:
        walker = next(each for each in picture.figures if (each.space, each.side) == (route.walk[0], state.turn))
        lines.append(TrailLine(f"walk {walker.side}", _name(walker), _join(middles[name] for name in route.walk)))
    if len(route.kick) > 1:
        points = [middles[name] for name in route.kick]
        if corner := picture.corners.get(route.kick[-1]):
            points[-1] = _to_units(corner)
        lines.append(TrailLine("kick", "ball", _join(points)))
    beyond = {*picture.corners, *(name for group in picture.targets for name in group)}
    ends = (*route.walk[:1], *route.walk[-1:], *(name for name in route.kick[-1:] if name not in beyond))
    return Trail(
        lines=tuple(lines),
        touches=tuple(middles[name] for name in route.touches),
        ends=tuple(dict.fromkeys(ends)),
    )


def trail_to_json(trail: Trail) -> dict[str, Any]:
    """Return a trail for the board's script."""
    return {
        "lines": [(line.kind, line.piece, line.points) for line in trail.lines],
        "touches": trail.touches,
        "ends": trail.ends,
    }


def picture_after(stage: Stage) -> Picture:
    """Return the picture after a move, before a goal clears the board."""
    if stage.after.score == stage.before.score:
        return stage.after.picture()
    return stage.before.picture_after(stage.move.text)


def _is_shared(picture: Picture) -> bool:
    return picture.ball is not None and any(figure.space == picture.ball for figure in picture.figures)


def _draw_lines(picture: Picture) -> tuple[DrawnLine, ...]:
    older = len(picture.segments) - len(picture.latest)
    return tuple(
        DrawnLine(*line, latest=number >= older) for number, line in enumerate(lines_to_json(picture, picture.segments))
    )


def _look(figure: Figure) -> str:
    return f"{figure.kind} {figure.badge}".rstrip()


def _name(figure: Figure) -> str:
    return f"{figure.side}-{figure.number}"


def _middles(picture: Picture, names: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Return where the middles of these spaces are drawn."""
    wanted = set(names)
    return {space.name: _to_units(space.middle) for space in picture.spaces if space.name in wanted} if wanted else {}


def _to_units(point: Point) -> tuple[int, int]:
    x, y = point
    return round(UNIT * x), round(UNIT * y)


def _join(points: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
