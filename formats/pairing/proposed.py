"""The pairings of a round before it is published: who meets whom, and what speaks against a pairing.

Pure: the players are named by anything hashable, and what is known of the rounds before is given.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from rules_engine.values import BySide, Side

E = TypeVar("E", bound=Hashable)

MAX_RUN = 2
"""The number of times running that somebody can be on the same side before a warning says so."""


class PairingWarning(StrEnum):
    """The things that speak against a pairing, and that nothing forbids."""

    MET_BEFORE = "met-before"
    SECOND_BYE = "second-bye"
    SIDE_AGAIN = "side-again"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Pairings(Generic[E]):
    """The pairs with their sides, the entrants who have a bye, and those who have one that they asked for."""

    pairs: tuple[BySide[E], ...]
    byes: tuple[E, ...] = ()
    asked_byes: tuple[E, ...] = ()

    @property
    def swappable(self) -> tuple[E, ...]:
        """Return everybody who can be swapped: who plays, pair by pair, Yellow first, and who has a bye unasked."""
        return (*(one for pair in self.pairs for one in pair), *self.byes)

    @property
    def everybody(self) -> tuple[E, ...]:
        """Return everybody who plays or has a bye."""
        return (*self.swappable, *self.asked_byes)

    def swap(self, one: E, other: E) -> Pairings[E]:
        """Return the pairings in which each of the two stands where the other stood; who meet each other change sides.

        An entrant who takes the place of somebody with a bye has it instead. Raises ``ValueError`` unless both can be
        swapped.
        """
        if one == other or not {one, other} <= set(self.swappable):
            raise ValueError(f"{one} and {other} cannot be swapped")
        places = {one: other, other: one}
        return Pairings(
            tuple(pair.map(lambda each: places.get(each, each)) for pair in self.pairs),
            tuple(places.get(each, each) for each in self.byes),
            self.asked_byes,
        )

    @property
    def places(self) -> tuple[tuple[E, ...], ...]:
        """Return who is in each place that swaps change the players of: the two of each pair, Yellow first, or one."""
        return (*((pair.yellow, pair.red) for pair in self.pairs), *((each,) for each in self.byes))

    def changes_since(self, before: Pairings[E]) -> Iterator[tuple[tuple[E, ...], tuple[E, ...]]]:
        """Yield who was and who is in each place in which others are now; swaps have led here from those before."""
        # Of a bye, which comes last, nothing is left once who had it has gone.
        for was, is_now in zip(before.places, self.places, strict=False):
            if was != is_now:
                yield was, is_now


@dataclass(frozen=True, slots=True)
class Past(Generic[E]):
    """The past of an entrant in the rounds before.

    The opponents they have met, the sides they played in order, whether they had a bye or won without playing, whether
    they have left, and their points.
    """

    met: frozenset[E] = frozenset()
    sides: tuple[Side, ...] = ()
    had_bye: bool = False
    is_gone: bool = False
    points: int = 0


@dataclass(frozen=True, slots=True)
class Warnings(Generic[E]):
    """The warnings about pairings: about each pair with whom it concerns, about byes, and who is not paired at all."""

    pairs: Mapping[BySide[E], tuple[tuple[PairingWarning, E], ...]] = field(default_factory=dict)
    byes: Mapping[E, tuple[PairingWarning, ...]] = field(default_factory=dict)
    missing: tuple[E, ...] = ()


def find_warnings(pairings: Pairings[E], past: Mapping[E, Past[E]]) -> Warnings[E]:
    """Return what speaks against pairings; ``past`` is of everybody in the group."""
    placed = set(pairings.everybody)
    return Warnings(
        {pair: tuple(_warn_of_pair(pair, past)) for pair in pairings.pairs},
        {each: tuple(_warn_of_bye(past[each])) for each in pairings.byes},
        tuple(each for each, known in past.items() if each not in placed and not known.is_gone),
    )


def _warn_of_pair(pair: BySide[E], past: Mapping[E, Past[E]]) -> Iterator[tuple[PairingWarning, E]]:
    if pair.red in past[pair.yellow].met:
        yield PairingWarning.MET_BEFORE, pair.yellow
    for side in Side:
        known = past[pair[side]]
        if known.is_gone:
            yield PairingWarning.GONE, pair[side]
        if len(known.sides) >= MAX_RUN and all(each is side for each in known.sides[-MAX_RUN:]):
            yield PairingWarning.SIDE_AGAIN, pair[side]


def _warn_of_bye(known: Past[E]) -> Iterator[PairingWarning]:
    if known.is_gone:
        yield PairingWarning.GONE
    if known.had_bye:
        yield PairingWarning.SECOND_BYE
