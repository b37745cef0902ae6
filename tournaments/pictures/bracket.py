"""The parts of the picture of a bracket, and their sizes in pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

BOX_WIDTH = 216
BOX_HEIGHT = 56
COLUMN = 264
ROW = 72
HEAD = 40
MARGIN = 2


@dataclass(frozen=True, slots=True)
class Box(Generic[T]):
    """A tie with its upper left corner, in pixels."""

    tie: T
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Heading:
    """The number of a round above its column."""

    number: int
    x: int


@dataclass(frozen=True, slots=True)
class Bracket(Generic[T]):
    """The whole picture: its size in pixels, boxes, headings, and links as SVG paths."""

    width: int
    height: int
    headings: tuple[Heading, ...]
    boxes: tuple[Box[T], ...]
    links: tuple[str, ...]
