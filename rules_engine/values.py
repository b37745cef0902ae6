"""Values that every game shares: sides, pairs by side, scores, endings, outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

T = TypeVar("T")
U = TypeVar("U")


class Side(StrEnum):
    """One of the two sides. Yellow is named first."""

    YELLOW = "yellow"
    RED = "red"

    @property
    def opponent(self) -> Side:
        """Return the other side."""
        return Side.RED if self is Side.YELLOW else Side.YELLOW


class Nature(StrEnum):
    """The actor where no side acts."""

    CHANCE = "chance"


class ChanceDevice(StrEnum):
    """The devices of chance in a game. Dice may be rolled alone, together, against each other, or read from a table."""

    DICE = "dice"
    COIN = "coin"
    NONE = "none"


Turn = Side | Nature | None
"""The actor of the next ply: a side, chance, or nobody because the match is over."""


@dataclass(frozen=True, slots=True)
class BySide(Generic[T]):
    """A pair of values, one for each side."""

    yellow: T
    red: T

    def __getitem__(self, side: Side) -> T:
        return self.yellow if side == Side.YELLOW else self.red

    def __iter__(self) -> Iterator[T]:
        yield self.yellow
        yield self.red

    def with_side(self, side: Side, value: T) -> BySide[T]:
        """Return the same pair with another value for one side."""
        return BySide(value, self.red) if side is Side.YELLOW else BySide(self.yellow, value)

    def map(self, function: Callable[[T], U]) -> BySide[U]:
        """Return the pair of the function's results."""
        return BySide(function(self.yellow), function(self.red))


Score = BySide[int]
"""Goals (or points of a game of points), yellow first."""


class Ending(StrEnum):
    """The ways in which a match ends. The first block is the rules', the second the service's.

    ``NORMAL_TIME`` is the ordinary end of a match, in a game without a clock too.
    """

    NORMAL_TIME = "normal-time"
    SUDDEN_DEATH = "sudden-death"
    LAST_GOAL = "last-goal"
    GOALLESS = "goalless"
    OVER_TIME = "over-time"
    PENALTIES = "penalties"

    RESIGNATION = "resignation"
    TIMEOUT = "timeout"
    FORFEIT = "forfeit"
    ADJUDICATION = "adjudication"
    AGREEMENT = "agreement"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a match: who won (``None``: nobody), how it ended, and the score at that moment."""

    winner: Side | None
    ending: Ending
    score: Score

    def match_points(self, by_ending: Mapping[Ending, tuple[int, int]]) -> BySide[int]:
        """Return the winner's and the loser's match points for this ending, else 5 and 0; 2-2 if nobody won."""
        if self.winner is None:
            return BySide(2, 2)
        won, lost = by_ending.get(self.ending, (5, 0))
        return BySide(won, lost) if self.winner is Side.YELLOW else BySide(lost, won)
