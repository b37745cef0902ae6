"""Knock-outs filled and placed a second time, round by round: what the formats of brackets are compared with."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from formats.protocol import DrawnTie, FromSeed, Outcome, Part, Source, TieKey

E = TypeVar("E", bound=Hashable)


def fill_bracket(
    bracket: Sequence[DrawnTie], seeded: Sequence[E], winners: Mapping[DrawnTie, E | None]
) -> dict[DrawnTie, tuple[E | None, E | None]]:
    """Return who meets in each tie, ``None`` for whom nobody knows yet, and where nobody comes.

    ``seeded`` holds the entrants by seed, ``winners`` the ties decided so far, ``None`` for one that went to nobody.
    Raises ``ValueError`` when somebody won a tie without being in it, or before the ties before it were decided.
    """
    met: dict[DrawnTie, tuple[E | None, E | None]] = {}
    decided: dict[TieKey, tuple[E | None, E | None]] = {}

    def is_known(source: Source) -> bool:
        return isinstance(source, FromSeed) or source.tie in decided

    def find(source: Source) -> E | None:
        if isinstance(source, FromSeed):
            return seeded[source.seed - 1]
        ends = decided.get(source.tie)
        if ends is None:
            return None
        return ends[0] if source.outcome is Outcome.WINNER else ends[1]

    for tie in bracket:
        pair = (find(tie.first), find(tie.second))
        met[tie] = pair
        if tie not in winners:
            continue
        first, second = pair
        winner = winners[tie]
        if not (is_known(tie.first) and is_known(tie.second)) or (winner is not None and winner not in pair):
            raise ValueError(f"{winner!r} cannot have won slot {tie.key.slot} of round {tie.key.round}")
        loser = None if winner is None else second if winner == first else first
        decided[tie.key] = (winner, loser)
    return met


def final_places(
    bracket: Sequence[DrawnTie], seeded: Sequence[E], winners: Mapping[DrawnTie, E | None]
) -> dict[E, int]:
    """Return the place of everybody whose last tie is decided.

    The losers of one round share a place, one below all who went on: the final's is second, both of the
    semi-finals are third unless a third-place tie parts them, the four before them fifth and so on. Both of a tie that
    went to nobody have lost it, and a semi-final also the tie for third place.
    """
    rounds = max(tie.key.round for tie in bracket)
    has_third_place = bracket[-1].key.part is Part.THIRD_PLACE
    found: dict[E, int] = {}
    for tie, pair in fill_bracket(bracket, seeded, winners).items():
        if tie not in winners:
            continue
        winner = winners[tie]
        round_ = tie.key.round
        best, worst = (3, 4) if tie.key.part is Part.THIRD_PLACE else (1, 2 ** (rounds - round_) + 1)
        goes_down = has_third_place and round_ == rounds - 1
        if round_ == rounds and winner is not None:
            found[winner] = best
        if not goes_down or winner is None:
            place = 4 if goes_down else worst
            found.update({entrant: place for entrant in pair if entrant is not None and entrant != winner})
    return found
