"""Seeds: who is first, second and so on in a cup, by rating, by draw or by hand.

The draw gives every entrant a lot that depends on nothing but the draw's seed and that entrant: neither
on the order in which entrants are named nor on who else has entered.
"""

import hashlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import TypeVar

E = TypeVar("E", bound=Hashable)


class SeedingFault(StrEnum):
    """The ways in which seeds that were chosen by hand cannot be taken."""

    CHOSEN_TWICE = "chosen-twice"
    NOT_ENTERED = "not-entered"


class InvalidSeeds(ValueError):
    """Seeds that cannot be taken, by their ``fault``; ``strangers`` are chosen and have not entered, as texts."""

    def __init__(self, fault: SeedingFault, strangers: tuple[str, ...] = ()) -> None:
        super().__init__(f"invalid seeds: {fault}")
        self.fault = fault
        self.strangers = strangers


def draw_lot(draw_seed: int, entrant: Hashable) -> int:
    """Return the entrant's lot in the draw, a number below 2**63; the smallest is drawn first."""
    digest = hashlib.sha256(f"{draw_seed}|{entrant}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def seed_by_draw(entrants: Iterable[E], draw_seed: int) -> list[E]:
    """Return the entrants in the order in which they are drawn; the same seed draws the same order."""
    return sorted(entrants, key=lambda entrant: (draw_lot(draw_seed, entrant), str(entrant)))


def seed_by_rating(entrants: Iterable[E], ratings: Mapping[E, Decimal], draw_seed: int) -> list[E]:
    """Return the entrants, highest rating first, equals as they are drawn; raises ``KeyError`` without a rating."""
    return sorted(seed_by_draw(entrants, draw_seed), key=lambda entrant: ratings[entrant], reverse=True)


def seed_by_hand(entrants: Iterable[E], chosen: Sequence[E], draw_seed: int) -> list[E]:
    """Return the chosen entrants in the order chosen, then all others as they are drawn.

    Raises ``InvalidSeeds`` when somebody is chosen twice, or chosen without having entered.
    """
    everybody = list(entrants)
    if len(set(chosen)) != len(chosen):
        raise InvalidSeeds(SeedingFault.CHOSEN_TWICE)
    if strangers := set(chosen) - set(everybody):
        raise InvalidSeeds(SeedingFault.NOT_ENTERED, tuple(sorted(map(str, strangers))))
    seeded = set(chosen)
    return [*chosen, *seed_by_draw((entrant for entrant in everybody if entrant not in seeded), draw_seed)]
