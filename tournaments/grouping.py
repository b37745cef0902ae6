"""Who is in which group of a stage: entrants dealt into groups of equal size, or of sizes that differ by one.

They are dealt in a snake: 1 to A, 2 to B, 3 to C, 4 to C, 5 to B, 6 to A, 7 to A and so on, so that the groups are
about equally strong.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TypeVar

from tournaments.formats.options import InvalidOptions, OptionFault, option

E = TypeVar("E", bound=Hashable)

MIN_SIZE = 2
"""The fewest entrants of a group."""


@dataclass(frozen=True, slots=True)
class GroupingOptions:
    """How many groups a stage has, or of how many entrants at most.

    Raises ``InvalidOptions`` where both or neither are given.
    """

    groups: int | None = option(None, "groups", minimum=1, maximum=1024)
    size: int | None = option(None, "players in a group", minimum=MIN_SIZE, maximum=1024)

    def __post_init__(self) -> None:
        if (self.groups is None) == (self.size is None):
            raise InvalidOptions({"size": (OptionFault.NOT_A_CHOICE, {"choices": ["groups", "size"]})})


def letter_of(number: int) -> str:
    """Return what a group is called among those of its stage, from 1: A to Z, then AA, AB and so on."""
    letters = ""
    while number:
        number, place = divmod(number - 1, len(ascii_uppercase))
        letters = ascii_uppercase[place] + letters
    return letters


def count_groups(entrants: int, options: GroupingOptions) -> int:
    """Return how many groups so many entrants make: as many as asked for, or the fewest that are not too large.

    Raises ``ValueError`` where a group would have fewer than two.
    """
    groups = -(-entrants // options.size) if options.size is not None else options.groups or 0
    if not groups or entrants // groups < MIN_SIZE:
        raise ValueError(f"{entrants} entrants are too few for {groups} groups")
    return groups


def split_evenly(entrants: int, groups: int) -> list[int]:
    """Return the sizes of so many groups of so many entrants."""
    return [entrants // groups + (number < entrants % groups) for number in range(groups)]


def form_groups(seeded: Sequence[E], options: GroupingOptions) -> tuple[tuple[E, ...], ...]:
    """Return the groups, each in the order in which it was filled; the entrants come in the order of their seeds.

    Raises ``ValueError`` for too few entrants or one named twice.
    """
    if len(set(seeded)) != len(seeded):
        raise ValueError("an entrant is named twice")
    groups: list[list[E]] = [[] for _ in range(count_groups(len(seeded), options))]
    for number, entrant in enumerate(seeded):
        row, column = divmod(number, len(groups))
        groups[~column if row % 2 else column].append(entrant)
    return tuple(map(tuple, groups))


def merge_groups(groups: Sequence[Sequence[E]]) -> tuple[E, ...]:
    """Return the entrants of groups that ``form_groups`` made in the order of the seeds that they came from."""
    rows = max(map(len, groups), default=0)
    order = [group if row % 2 == 0 else ~group for row in range(rows) for group in range(len(groups))]
    places = [(place // len(groups), column) for place, column in enumerate(order)]
    return tuple(groups[column][row] for row, column in places if row < len(groups[column]))
