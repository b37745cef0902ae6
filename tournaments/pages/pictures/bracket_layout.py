"""The picture of any bracket, from where the entrants of its ties come: a column for each round of play.

A tie stands halfway between those whose winners meet in it, and on the line of the only one where the other entrant
comes down from elsewhere or from the seeds. So the two halves of a double elimination lie one below the other, and
their final between them. No line is drawn for losers: it would cross all others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from formats.protocol import DrawnTie, TieKey
from tournaments.pages.pictures.bracket_parts import winners_from

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


def lay_out_ties(ties: Sequence[DrawnTie], shown: Mapping[TieKey, T]) -> Bracket[T]:
    """Return the picture of these ties, all of a bracket or a part; ``shown`` is what the template shows of each.

    Each tie comes after those that it takes entrants from, as formats draw them.
    """
    drawn = {tie.key for tie in ties}
    sources = {tie.key: tuple(key for key in winners_from(tie) if key in drawn) for tie in ties}
    followed = {key for before in sources.values() for key in before}
    middles: dict[TieKey, int] = {}
    rows = 0
    for tie in ties:
        if tie.key not in followed:
            rows = _place(tie.key, sources, middles, rows)
    first = min((tie.key.round for tie in ties), default=1)
    columns = max((tie.key.round for tie in ties), default=0) - first + 1
    return Bracket(
        width=COLUMN * (columns - 1) + BOX_WIDTH + 2 * MARGIN if columns else 0,
        height=HEAD + ROW * rows if columns else 0,
        headings=tuple(Heading(first + column, _left(column)) for column in range(columns)),
        boxes=tuple(
            Box(shown[tie.key], _left(tie.key.round - first), middles[tie.key] - BOX_HEIGHT // 2) for tie in ties
        ),
        links=tuple(
            _link(before.round - first, middles[before], tie.key.round - first, middles[tie.key])
            for tie in ties
            for before in sources[tie.key]
        ),
    )


def _place(key: TieKey, sources: Mapping[TieKey, Sequence[TieKey]], middles: dict[TieKey, int], rows: int) -> int:
    """Place a tie and all that lead to it below the rows that are taken; return how many are taken then."""
    for before in sources[key]:
        rows = _place(before, sources, middles, rows)
    if sources[key]:
        middles[key] = sum(middles[before] for before in sources[key]) // len(sources[key])
    else:
        middles[key] = HEAD + ROW * rows + ROW // 2
        rows += 1
    return rows


def _left(column: int) -> int:
    return MARGIN + COLUMN * column


def _link(before: int, start_y: int, after: int, end_y: int) -> str:
    """Return the line between two ties in these columns. It bends just before the later one: boxes may be between."""
    start, end = _left(before) + BOX_WIDTH, _left(after)
    bend = end - (COLUMN - BOX_WIDTH) // 2
    return f"M{start} {start_y}H{bend}V{end_y}H{end}"
