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
MAX_ROWS_ON_PAPER = 32
"""The most rows of boxes that are readable on a sheet of A4."""

MAX_ROWS_ON_SCREEN = 12
"""With more rows it is scrolled by itself, and not with the page."""

MAX_WIDTH_ON_PAPER = 2_000
"""The width from which on a bracket is printed across the sheet."""


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

    @property
    def is_tall(self) -> bool:
        """Return whether it is scrolled by itself."""
        return self.height > HEAD + ROW * MAX_ROWS_ON_SCREEN

    @property
    def is_wide(self) -> bool:
        """Return whether it is printed across the sheet."""
        return self.width > MAX_WIDTH_ON_PAPER

    @property
    def sheets(self) -> tuple[tuple[int, int], ...]:
        """Return the upper edge and the height of what stands on each sheet of paper; none where one is enough.

        Sheets overlap by two rows, so that no box is cut: those of later rounds stand between rows.
        """
        rows = (self.height - HEAD) // ROW
        if rows <= MAX_ROWS_ON_PAPER:
            return ()
        sheets = []
        for first in range(0, rows, MAX_ROWS_ON_PAPER):
            top = HEAD + ROW * (first - 1) if first else 0
            end = HEAD + ROW * min(rows, first + MAX_ROWS_ON_PAPER + 1)
            sheets.append((top, end - top))
        return tuple(sheets)
