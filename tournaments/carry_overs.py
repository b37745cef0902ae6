"""What carries over from the seasons of a series to the next one: who comes along, and in which order they are seeded.

A carry-over is a value of ``CARRY_OVERS``. A new kind is another entry there: a function that says who of the last
season comes along, how they come (they are asked, or entered at once), and, if its seasons are seeded by those before,
a function that puts everybody who has entered in one order. Both are pure: they get places of seasons, and return
the keys of entrants. Services read the places (``selectors.series``) and make the entries (``services.seasons``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

E = TypeVar("E", bound=Hashable)

NOBODY, SAME_ENTRANTS = "nobody", "same-entrants"


class Admission(StrEnum):
    """The ways in which players of a season come into the next one."""

    NONE = "none"
    ASKED = "asked"
    ENTERED = "entered"


@dataclass(frozen=True, slots=True)
class SeasonPlace(Generic[E]):
    """Where somebody is, or was at the end, in a season of a series.

    ``league`` is that of a pyramid, from 1, and 1 where there is none. ``place`` is the place in the group, ``None``
    where there is no table yet. Whoever is not ``still_in`` has left the season.
    """

    entrant: E
    season: int
    league: int
    group: int
    place: int | None
    still_in: bool


@dataclass(frozen=True, slots=True)
class Newcomer(Generic[E]):
    """Somebody who has entered the next season, with what puts in order those who have no place in an earlier one."""

    entrant: E
    rating: float
    lot: int


Choice = Callable[[Sequence[SeasonPlace[Any]]], list[Any]]
"""From the places of the last season: who comes along into the next one, the first first."""

SeasonOrder = Callable[[Sequence[Newcomer[Any]], Sequence[SeasonPlace[Any]]], list[Any]]
"""From all who have entered and everybody's latest place: the order in which they are seeded."""


@dataclass(frozen=True, slots=True)
class CarryOver:
    """What carries over; ``label`` and ``summary`` are English, for organisers.

    ``order`` is ``None`` where a season is seeded like any competition. What ``waits_for_end`` needs the final table
    of the last season: the next one is announced only when that has ended.
    """

    name: str
    label: str
    summary: str
    admission: Admission
    choose: Choice
    order: SeasonOrder | None = None
    waits_for_end: bool = False


def choose_nobody(places: Sequence[SeasonPlace[E]]) -> list[E]:
    """Return nobody."""
    return []


def choose_all(places: Sequence[SeasonPlace[E]]) -> list[E]:
    """Return everybody who is still in the last season."""
    return [each.entrant for each in places if each.still_in]


CARRY_OVERS: dict[str, CarryOver] = {
    carry_over.name: carry_over
    for carry_over in (
        CarryOver(
            NOBODY,
            "nobody",
            "Each season begins empty.",
            Admission.NONE,
            choose_nobody,
        ),
        CarryOver(
            SAME_ENTRANTS,
            "the same players are asked again",
            "Whoever is still in the last season is invited to the next one.",
            Admission.ASKED,
            choose_all,
        ),
    )
}
"""All carry-overs by ``CarryOver.name``."""


def get_carry_over(name: str) -> CarryOver:
    """Return the carry-over of this name. Raises ``KeyError``."""
    return CARRY_OVERS[name]
