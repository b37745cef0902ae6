"""The picture of a knock-out: one column a round, every tie halfway between the two that lead to it."""

from __future__ import annotations

from collections.abc import Sequence
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
class Slot(Generic[T]):
    """A tie at its place in the round, slots counted from 0 at the top; ``tie`` is whatever the template shows."""

    slot: int
    tie: T


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """A round: its ties, byes left out. Only the last one has a tie for third place."""

    slots: Sequence[Slot[T]]
    third_place: T | None = None


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
    """The whole picture: its size in pixels, boxes, headings, and links as SVG paths.

    ``third_place`` is the box below the final, if there is one.
    """

    width: int
    height: int
    headings: tuple[Heading, ...]
    boxes: tuple[Box[T], ...]
    links: tuple[str, ...]
    third_place: Box[T] | None


def lay_out(columns: Sequence[Column[T]]) -> Bracket[T]:
    """Return the picture of a bracket, first round first. A slot that is missing stays free: its seed had a bye."""
    rounds = len(columns)
    boxes, links = [], []
    for index, column in enumerate(columns):
        following = {slot.slot for slot in columns[index + 1].slots} if index + 1 < rounds else set()
        for slot in column.slots:
            x, y = _corner(index, slot.slot)
            boxes.append(Box(slot.tie, x, y))
            if slot.slot // 2 in following:
                links.append(_link(index, slot.slot))
    height = HEAD + ROW * 2 ** max(0, rounds - 1)
    third = None
    if rounds and columns[-1].third_place is not None:
        x, y = _corner(rounds - 1, 0)
        third = Box(columns[-1].third_place, x, y + 2 * ROW)
        height = max(height, third.y + ROW)
    return Bracket(
        width=COLUMN * (rounds - 1) + BOX_WIDTH + 2 * MARGIN if rounds else 0,
        height=height if rounds else 0,
        headings=tuple(Heading(index + 1, MARGIN + COLUMN * index) for index in range(rounds)),
        boxes=tuple(boxes),
        links=tuple(links),
        third_place=third,
    )


def _middle(index: int, slot: int) -> int:
    return HEAD + (2 * slot + 1) * ROW * 2**index // 2


def _corner(index: int, slot: int) -> tuple[int, int]:
    return MARGIN + COLUMN * index, _middle(index, slot) - BOX_HEIGHT // 2


def _link(index: int, slot: int) -> str:
    start = MARGIN + COLUMN * index + BOX_WIDTH
    end = MARGIN + COLUMN * (index + 1)
    bend = (start + end) // 2
    return f"M{start} {_middle(index, slot)}H{bend}V{_middle(index + 1, slot // 2)}H{end}"
