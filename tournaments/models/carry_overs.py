"""Carry-overs between the seasons of a series: who comes along to the next one, and how its entrants are ordered.

A carry-over is a value of ``CARRY_OVERS``. A new kind is another entry there: a function that says who of the last
season comes along, how they come (they are asked, or entered at once), and, if its seasons are seeded by those before,
a function that puts everybody who has entered in one order. Both are pure: they get places of seasons, and return
the keys of entrants. Services read the places (``selectors.series``) and make the entries (``services.seasons``).
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from formats.marked_texts import gettext_noop
from formats.promotion import Newcomer, SeasonPlace, order_by_leagues

E = TypeVar("E", bound=Hashable)

NOBODY, SAME_ENTRANTS, PROMOTION = "nobody", "same-entrants", "promotion"


class Admission(StrEnum):
    """The ways in which players of a season come into the next one."""

    NONE = "none"
    ASKED = "asked"
    ENTERED = "entered"


Choice = Callable[[Sequence[SeasonPlace[Any]]], list[Any]]
"""From the places of the last season: who comes along into the next one, the first first."""

SeasonOrder = Callable[[Sequence[Newcomer[Any]], Sequence[SeasonPlace[Any]]], list[Any]]
"""From all who have entered and everybody's latest place: the order in which they are seeded."""


@dataclass(frozen=True, slots=True)
class CarryOver:
    """A way to carry entrants over; ``label`` and ``summary`` are English, for organisers.

    ``order`` is ``None`` where a season is seeded like any competition.
    """

    name: str
    label: str
    summary: str
    admission: Admission
    choose: Choice
    order: SeasonOrder | None = None


def choose_nobody(places: Sequence[SeasonPlace[E]]) -> list[E]:
    """Return nobody."""
    return []


def choose_all(places: Sequence[SeasonPlace[E]]) -> list[E]:
    """Return everybody who is still in the last season, once each, whatever number of places they have."""
    return list(dict.fromkeys(each.entrant for each in places if each.still_in))


CARRY_OVERS: dict[str, CarryOver] = {
    carry_over.name: carry_over
    for carry_over in (
        CarryOver(
            NOBODY,
            gettext_noop("nobody"),
            gettext_noop("Each season starts with no players."),
            Admission.NONE,
            choose_nobody,
        ),
        CarryOver(
            SAME_ENTRANTS,
            gettext_noop("the same players are invited again"),
            gettext_noop("Everybody who is still in the previous season is invited to the next one."),
            Admission.ASKED,
            choose_all,
        ),
        CarryOver(
            PROMOTION,
            gettext_noop("leagues with promotion and relegation"),
            gettext_noop(
                "Everybody who is still in the previous season is entered again. Their place decides whether "
                "they move a league up or down. Players who skip a season come back one league lower."
            ),
            Admission.ENTERED,
            choose_all,
            order_by_leagues,
        ),
    )
}
"""All carry-overs by ``CarryOver.name``."""


def get_carry_over(name: str) -> CarryOver:
    """Return the carry-over of this name. Raises ``KeyError``."""
    return CARRY_OVERS[name]
