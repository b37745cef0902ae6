"""Knock-outs filled and placed a second time, round by round: what the formats of brackets are compared with."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from tournaments.pairing.elimination import BracketTie, Seed, Source, WinnerOf, count_rounds

E = TypeVar("E", bound=Hashable)


def fill_bracket(
    bracket: Sequence[BracketTie], seeded: Sequence[E], winners: Mapping[BracketTie, E | None]
) -> dict[BracketTie, tuple[E | None, E | None]]:
    """Return who meets in each tie, ``None`` for whom nobody knows yet, and where nobody comes.

    ``seeded`` holds the entrants by seed, ``winners`` the ties decided so far, ``None`` for one that went to nobody.
    Raises ``ValueError`` when somebody won a tie without being in it, or before the ties before it were decided.
    """
    met: dict[BracketTie, tuple[E | None, E | None]] = {}
    decided: dict[tuple[int, int], tuple[E | None, E | None]] = {}

    def is_known(source: Source) -> bool:
        return isinstance(source, Seed) or (source.round, source.slot) in decided

    def find(source: Source) -> E | None:
        if isinstance(source, Seed):
            return seeded[source.number - 1]
        outcome = decided.get((source.round, source.slot))
        if outcome is None:
            return None
        return outcome[0] if isinstance(source, WinnerOf) else outcome[1]

    for tie in bracket:
        pair = (find(tie.first), find(tie.second))
        met[tie] = pair
        if tie not in winners:
            continue
        first, second = pair
        winner = winners[tie]
        if not (is_known(tie.first) and is_known(tie.second)) or (winner is not None and winner not in pair):
            raise ValueError(f"{winner!r} cannot have won slot {tie.slot} of round {tie.round}")
        if not tie.is_third_place:
            loser = None if winner is None else second if winner == first else first
            decided[tie.round, tie.slot] = (winner, loser)
    return met


def final_places(
    bracket: Sequence[BracketTie], seeded: Sequence[E], winners: Mapping[BracketTie, E | None]
) -> dict[E, int]:
    """Return the place of everybody whose last tie is decided.

    The losers of one round share a place, one below all who went on: the final's is second, both of the
    semi-finals are third unless a third-place tie parts them, the four before them fifth and so on. Both of a tie that
    went to nobody have lost it, and a semi-final also the tie for third place.
    """
    rounds = count_rounds(len(seeded))
    has_third_place = bracket[-1].is_third_place
    found: dict[E, int] = {}
    for tie, pair in fill_bracket(bracket, seeded, winners).items():
        if tie not in winners:
            continue
        winner = winners[tie]
        best, worst = (3, 4) if tie.is_third_place else (1, 2 ** (rounds - tie.round) + 1)
        goes_down = has_third_place and tie.round == rounds - 1
        if tie.round == rounds and winner is not None:
            found[winner] = best
        if not goes_down or winner is None:
            place = 4 if goes_down else worst
            found.update({entrant: place for entrant in pair if entrant is not None and entrant != winner})
    return found
