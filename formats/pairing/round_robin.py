"""Round robin by the Berger tables, as FIDE publishes them (Handbook C.05, Annex 1).

Everybody meets everybody else once; in the second cycle of a double round robin all sides are
swapped. FIDE's advice to swap the last two rounds of the first cycle is not taken.

The tables give the sides in every match of those who are there at the start, and nobody is Yellow more than once more
often than anybody else. They say nothing of those who come late: there the balance decides.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from formats.sides import Balance
from rules_engine.values import BySide

E = TypeVar("E", bound=Hashable)


@dataclass(frozen=True, slots=True)
class RobinRound(Generic[E]):
    """A round: its number from 1, its pairs by side, and who has a bye in it, if anybody."""

    number: int
    pairs: tuple[BySide[E], ...]
    bye: E | None


def schedule(entrants: Sequence[E], cycles: int = 1) -> list[RobinRound[E]]:
    """Return the rounds of all cycles; the entrants' order is their numbers in the table.

    Where their number is odd, the entrant who would meet the missing last one has a bye. Every second cycle
    swaps the sides. Raises ``ValueError`` for fewer than two entrants, one named twice, or no cycle.
    """
    if len(entrants) < 2 or len(set(entrants)) != len(entrants) or cycles < 1:
        raise ValueError("a round robin needs two different entrants and one cycle at least")
    seats: list[E | None] = [*entrants, *([None] if len(entrants) % 2 else [])]
    rounds: list[RobinRound[E]] = []
    for cycle in range(cycles):
        for table in berger_table(len(seats)):
            pairs = []
            bye = None
            for first, second in table:
                yellow, red = seats[first - 1], seats[second - 1]
                if yellow is None or red is None:
                    bye = red if yellow is None else yellow
                else:
                    pairs.append(BySide(red, yellow) if cycle % 2 else BySide(yellow, red))
            rounds.append(RobinRound(len(rounds) + 1, tuple(pairs), bye))
    return rounds


def meet_all(
    latecomer: E, others: Sequence[E], cycles: int, balance: Balance[E], is_in: Callable[[E], bool]
) -> Iterator[BySide[E]]:
    """Yield the matches of somebody who came late against all others, by side, and count them in the balance.

    The entrant who has been Yellow most often comes first: the latecomer, who has not been it yet, is so against them.
    Every second cycle swaps the sides. Matches against those who are not in any more are forfeited, and not counted.
    """
    first: list[BySide[E]] = []
    order = balance.by_claim(others)[::-1]
    for other in order:
        sides = balance.give(latecomer, other) if is_in(other) else balance.weigh(latecomer, other)
        first.append(sides)
        yield sides
    for cycle in range(1, cycles):
        for other, sides in zip(order, first, strict=True):
            again = BySide(sides.red, sides.yellow) if cycle % 2 else sides
            if is_in(other):
                balance.count(again)
            yield again


def berger_table(size: int) -> list[list[tuple[int, int]]]:
    """Return the table for an even number of seats: rounds of pairs of numbers from 1, Yellow's first.

    Raises ``ValueError`` for any other size.

    In each round one number meets the last one, which alternates its side. The others sit in a
    circle without the last, and those at equal distance from that number meet: the one above it has
    Yellow. From round to round that number goes on by half a circle.
    """
    if size < 2 or size % 2:
        raise ValueError(f"a Berger table has an even number of seats, not {size}")
    circle = size - 1
    rounds = []
    for index in range(circle):
        centre = index * (size // 2) % circle
        first = (centre + 1, size) if index % 2 == 0 else (size, centre + 1)
        others = [((centre + far) % circle + 1, (centre - far) % circle + 1) for far in range(1, size // 2)]
        rounds.append([first, *others])
    return rounds
