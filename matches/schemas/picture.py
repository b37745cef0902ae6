"""The look of a position, in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from typing import TypedDict, cast

from matches.schemas.values import SideName
from rules_engine.picture import Figure, Line, Picture, Segment, Space


class SpaceSchema(TypedDict):
    """A space of the board."""

    name: str
    x: int
    """Its column, counted from the left, from 0."""
    y: int
    """Its row, counted from the top, from 0."""
    kind: str


class FigureSchema(TypedDict):
    """A figure of a side."""

    side: SideName
    number: int
    kind: str
    space: str | None
    """Null while the figure is not on the board."""


class LineSchema(TypedDict):
    """A line that is painted on the board."""

    points: list[list[float]]
    """Its points, x and y in units of spaces, from the board's top left corner."""
    kind: str


class SegmentSchema(TypedDict):
    """A line that a side has drawn in play, from the middle of one space to the middle of another."""

    start: str
    end: str
    side: SideName


class PictureSchema(TypedDict):
    """The look of a position."""

    columns: int
    rows: int
    spaces: list[SpaceSchema]
    lines: list[LineSchema]
    figures: list[FigureSchema]
    ball: str | None
    """The space of the ball, null while it is not on the board."""
    marks: list[str]
    """Spaces that are marked."""
    segments: list[SegmentSchema]
    """In the order in which they were drawn."""


def picture_to_json(picture: Picture) -> PictureSchema:
    """Return what a position looks like."""
    return {
        "columns": picture.columns,
        "rows": picture.rows,
        "spaces": _spaces_to_json(picture.spaces),
        "lines": _lines_to_json(picture.lines),
        "figures": figures_to_json(picture.figures),
        "ball": picture.ball,
        "marks": list(picture.marks),
        "segments": segments_to_json(picture.segments),
    }


def figures_to_json(figures: Iterable[Figure]) -> list[FigureSchema]:
    """Return the figures of a picture."""
    return [
        {"side": cast("SideName", str(each.side)), "number": each.number, "kind": each.kind, "space": each.space}
        for each in figures
    ]


def segments_to_json(segments: Iterable[Segment]) -> list[SegmentSchema]:
    """Return the lines of a picture that were drawn in play."""
    return [{"start": each.start, "end": each.end, "side": cast("SideName", str(each.side))} for each in segments]


@lru_cache(maxsize=16)
def _spaces_to_json(spaces: tuple[Space, ...]) -> list[SpaceSchema]:
    return [cast("SpaceSchema", asdict(space)) for space in spaces]


@lru_cache(maxsize=16)
def _lines_to_json(lines: tuple[Line, ...]) -> list[LineSchema]:
    return [{"points": [list(point) for point in line.points], "kind": line.kind} for line in lines]
