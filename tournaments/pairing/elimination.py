"""The bracket of a single elimination for any number of entrants from two up.

Seeds take the standard order: 1 on the first line, 2 on the last, and as long as no lower seed wins,
1 to 2**k are the last 2**k left. Where lines are empty, their opponents, the top seeds, have a bye:
such a tie does not exist, and the seed stands in the second round at once.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seed:
    """The entrant with this seed, counted from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """The winner of the tie in this round and slot."""

    round: int
    slot: int


@dataclass(frozen=True, slots=True)
class LoserOf:
    """The loser of the tie in this round and slot."""

    round: int
    slot: int


Source = Seed | WinnerOf | LoserOf
"""Where an entrant of a tie comes from."""


@dataclass(frozen=True, slots=True)
class BracketTie:
    """A tie: its round from 1, its slot in the round from 0, top of the bracket first, and who meets in it.

    The winners of slots 2n and 2n + 1 meet in slot n of the next round. A slot is left out where a
    bye stands in its place. The third-place tie is in the last round, slot 0, beside the final.
    """

    round: int
    slot: int
    first: Source
    second: Source
    is_third_place: bool = False


def count_rounds(size: int) -> int:
    """Return how many rounds a bracket for this number of entrants has."""
    return (size - 1).bit_length()


def seed_lines(rounds: int, *, is_mirrored: bool = True) -> list[int]:
    """Return the seeds from the first line of the bracket to the last, 2**rounds of them.

    Mirrored, the lower half is upside down: seed 2 is on the last line. Otherwise the better seed of each pair is the
    upper one. The same seeds meet.
    """
    lines = [1]
    for _ in range(rounds):
        total = 2 * len(lines) + 1
        pairs = [
            (total - seed, seed) if is_mirrored and index % 2 else (seed, total - seed)
            for index, seed in enumerate(lines)
        ]
        lines = [seed for pair in pairs for seed in pair]
    return lines


def draw_bracket(size: int, *, third_place: bool = False) -> tuple[BracketTie, ...]:
    """Return all ties for this number of entrants, round by round: one less than entrants, and the third-place tie.

    A third-place tie needs two semi-finals, so four entrants; it comes last. Raises ``ValueError`` for
    fewer than two entrants.
    """
    if size < 2:
        raise ValueError("a cup needs two entrants at least")
    rounds = count_rounds(size)
    sources: list[Source | None] = [Seed(seed) if seed <= size else None for seed in seed_lines(rounds)]
    ties = []
    for number in range(1, rounds + 1):
        following: list[Source | None] = []
        for slot in range(len(sources) // 2):
            first, second = sources[2 * slot : 2 * slot + 2]
            if first is None or second is None:
                following.append(first or second)
            else:
                ties.append(BracketTie(number, slot, first, second))
                following.append(WinnerOf(number, slot))
        sources = following
    if third_place and size >= 4:
        semi_final = rounds - 1
        ties.append(BracketTie(rounds, 0, LoserOf(semi_final, 0), LoserOf(semi_final, 1), is_third_place=True))
    return tuple(ties)
