"""Explain the place of each row of a table: what sets it apart from the rows beside it, as codes and parameters.

A table keeps for each row its place and the number that set it apart from the row above. With the rows beside it
that is enough, so that some rows are explained without the others.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Protocol, TypeVar

DRAW = "draw"


class PlacedRow(Protocol):
    """A row that may have a place, and says what set it apart from the row above."""

    @property
    def place(self) -> int | None:
        """Return the place, ``None`` for a row without one."""

    @property
    def decided_by(self) -> str:
        """Return the key of the tie-break that set the row apart."""


P = TypeVar("P", bound=PlacedRow)


class ReasonCode(StrEnum):
    """The relation of a row to its neighbour."""

    BEHIND = "behind"
    SHARED = "shared"
    AHEAD = "ahead"


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason why a row is behind the row above, ahead of the next one, or shares its place with a neighbour.

    ``tiebreak`` is the key of the number that decided, ``level_on`` the keys before it, on which both are level.
    ``own`` and ``other`` are both rows' numbers as a table shows them, empty where they say nothing to a reader.
    """

    code: ReasonCode
    tiebreak: str = ""
    level_on: tuple[str, ...] = ()
    own: str = ""
    other: str = ""


def explain_rows(
    rows: Sequence[P], tiebreaks: Sequence[str], number_of: Callable[[P, str], str]
) -> list[tuple[Reason, ...]]:
    """Return for each of neighbouring rows, from the top, why it stands there; nothing for one without neighbours.

    ``tiebreaks`` order the table, the first deciding first; ``number_of`` returns a row's number as text, empty if it
    is not known. The first row is not compared with what may be above it, nor the last with what may be below.
    """
    reasons: list[list[Reason]] = [[] for _row in rows]
    for index, (upper, lower) in enumerate(pairwise(rows)):
        if upper.place == lower.place:
            reasons[index].append(Reason(ReasonCode.SHARED))
            reasons[index + 1].append(Reason(ReasonCode.SHARED))
        elif lower.decided_by in tiebreaks:
            key = lower.decided_by
            level_on = tuple(tiebreaks[: tiebreaks.index(key)])
            high, low = ("", "") if key == DRAW else (number_of(upper, key), number_of(lower, key))
            if high == low:
                # Points among the tied are measured anew among fewer, of which a row does not keep the number.
                high = low = ""
            reasons[index].append(Reason(ReasonCode.AHEAD, key, level_on, high, low))
            reasons[index + 1].append(Reason(ReasonCode.BEHIND, key, level_on, low, high))
    return [tuple(dict.fromkeys(each)) for each in reasons]
