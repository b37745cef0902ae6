"""Games and positions in JSON, and how they look."""

from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from typing import TypedDict, cast

from computers.levels import levels_in
from matches.schemas.values import NumbersSchema, SideName, numbers_to_json
from rules_engine.description import summarise
from rules_engine.picture import Figure, Line, Picture, Segment, Space
from rules_engine.protocol import Game, State


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


class TextFormatSchema(TypedDict):
    """A text in which matches of a game are exchanged elsewhere."""

    key: str
    title: str


class GameSchema(TypedDict):
    """A game that can be played."""

    key: str
    family: str
    title: str
    has_draws: bool
    """True if a match can end without a winner by the rules, so that a draw can be offered."""
    has_computer: bool
    """True if it can be played against the computer."""
    levels: list[str]
    """The levels at which the computer plays, the weakest first."""
    texts: list[TextFormatSchema]
    """The texts, beside the record, in which its matches are exchanged."""


def game_to_json(game: Game) -> GameSchema:
    """Return a game that can be played."""
    levels = levels_in(game)
    return {
        "key": game.key,
        "family": game.family,
        "title": game.title,
        "has_draws": game.has_draws,
        "has_computer": bool(levels),
        "levels": [str(level) for level in levels],
        "texts": [{"key": text.key, "title": text.title} for text in game.interchange],
    }


class PositionSchema(TypedDict):
    """A position that a match has been through."""

    ply: int
    """The number of moves and rolls that led to it."""
    position: str
    in_words: list[str]
    """The position in sentences."""
    picture: PictureSchema
    stage: str
    score: NumbersSchema


class ReplayedPositionSchema(TypedDict):
    """A position that a text leads to."""

    ply: int
    """The number of moves and rolls that led to it."""
    position: str
    stage: str
    score: NumbersSchema


def position_to_json(state: State, ply: int) -> PositionSchema:
    """Return a match's position after ``ply`` moves and rolls."""
    return {
        "ply": ply,
        "position": str(state),
        "in_words": list(summarise(state)),
        "picture": picture_to_json(state.picture()),
        "stage": state.stage,
        "score": numbers_to_json(state.score),
    }


def replayed_position_to_json(state: State, ply: int) -> ReplayedPositionSchema:
    """Return a position that a text leads to after ``ply`` moves and rolls."""
    return {"ply": ply, "position": str(state), "stage": state.stage, "score": numbers_to_json(state.score)}
