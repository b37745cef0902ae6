"""Entrants as the Dutch system knows them before a round, and the pairs that it never allows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from rules_engine.values import Side

WIN, DRAW = 2, 1
"""Half points, in which scores are counted: Swiss pairs by 1, ½ and 0."""

MAX_IMBALANCE = 2
"""Nobody plays more often than this on one side than on the other, where it can be avoided."""

_SIGN = {Side.YELLOW: 1, Side.RED: -1}


class Float(StrEnum):
    """The floats of a round: against somebody with fewer points, or with more.

    A round with points and without play is a float down.
    """

    DOWN = "down"
    UP = "up"
    NONE = "none"


class Need(StrEnum):
    """The need of an entrant for a side (C.04.3, A.6), the strongest first."""

    ABSOLUTE = "absolute"
    STRONG = "strong"
    MILD = "mild"
    NONE = "none"


@dataclass(frozen=True)
class SwissPlayer:
    """An entrant before a round.

    ``number`` is the pairing number, the seed, from 1. ``score`` is in half points. ``points`` are the match points of
    the table. ``sides`` are those of the matches that were played, in order, ``floats`` one of each round. ``met`` has
    the rounds in which each opponent was played, by pairing number. ``byes`` are the free ones; ``forfeit_wins``
    brought the points of a win without play, too.
    """

    number: int
    score: int = 0
    points: int = 0
    sides: tuple[Side, ...] = ()
    floats: tuple[Float, ...] = ()
    met: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    byes: int = 0
    forfeit_wins: int = 0

    @cached_property
    def balance(self) -> int:
        """Return how many more matches were played as Yellow than as Red."""
        return sum(_SIGN[side] for side in self.sides)

    @cached_property
    def last_side(self) -> Side | None:
        """Return the side of the last match that was played."""
        return self.sides[-1] if self.sides else None

    @cached_property
    def repeated_side(self) -> Side | None:
        """Return the side that was played twice running, and so not a third time."""
        return self.last_side if len(self.sides) > 1 and self.sides[-2] == self.last_side else None

    @cached_property
    def due(self) -> Side | None:
        """Return the side that is due: not a third time the same, the one played less, else the other than last."""
        if self.repeated_side is not None:
            return self.repeated_side.opponent
        if self.balance:
            return Side.RED if self.balance > 0 else Side.YELLOW
        return None if self.last_side is None else self.last_side.opponent

    @cached_property
    def need(self) -> Need:
        """Return how much the side that is due is needed."""
        if self.repeated_side is not None or abs(self.balance) >= MAX_IMBALANCE:
            return Need.ABSOLUTE
        if self.balance:
            return Need.STRONG
        return Need.NONE if self.last_side is None else Need.MILD

    @cached_property
    def may_have_bye(self) -> bool:
        """Return whether no round has brought the points of a win without play (C.04.3, C2)."""
        return not self.byes and not self.forfeit_wins

    def breaks_with(self, side: Side) -> bool:
        """Return whether that side would come three times running, or too often."""
        return self.repeated_side == side or abs(self.balance + _SIGN[side]) > MAX_IMBALANCE


@dataclass(frozen=True, slots=True)
class RoundToPair:
    """The round that is to be paired, of how many."""

    number: int
    rounds: int

    def may_meet(self, one: SwissPlayer, other: SwissPlayer) -> bool:
        """Return whether they may be paired: they have not met, and can be seated (C.04.3, C1 and C3)."""
        return other.number not in one.met and self.can_be_seated(one, other)

    def can_be_seated(self, one: SwissPlayer, other: SwissPlayer) -> bool:
        """Return whether neither need have a side three times running or too often.

        In the last round that does not keep anybody with more than half of the points from their opponents.
        """
        return (
            not (one.breaks_with(Side.YELLOW) or other.breaks_with(Side.RED))
            or not (one.breaks_with(Side.RED) or other.breaks_with(Side.YELLOW))
            or (self.number >= self.rounds and max(one.score, other.score) > self.number - 1)
        )
