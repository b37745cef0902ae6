"""The knock-out: whoever loses a tie is out (rules: competitions, "Cups")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tournaments.formats.brackets import BracketFormat, TieOptions, describe_ties
from tournaments.formats.options import option
from tournaments.formats.protocol import DrawnTie, FromSeed, FromTie, Outcome, Part, Source, TieKey
from tournaments.pairing import elimination


@dataclass(frozen=True, slots=True)
class KnockOutOptions(TieOptions):
    """The options of a knock-out."""

    third_place: bool = option(False, "third-place tie")


class KnockOut(BracketFormat):
    """Seeds in the standard order, byes for the top seeds, and one loss is the end."""

    key = "knock-out"
    label = "Knock-out"
    summary = "Whoever loses a tie is out."
    options = KnockOutOptions
    min_entrants = 2

    def draw_ties(self, entrants: int, options: KnockOutOptions) -> tuple[DrawnTie, ...]:
        """Return all ties, round by round. Raises ``ValueError`` for fewer than two entrants."""
        return _draw(entrants, options.third_place)

    def describe(self, options: KnockOutOptions) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Return how a tie is played, and whether there is one for third place."""
        sentences = describe_ties(options)
        if options.third_place:
            sentences.append(("The losers of the semi-finals play for third place.", {}))
        return sentences


@lru_cache(maxsize=64)
def _draw(entrants: int, third_place: bool) -> tuple[DrawnTie, ...]:
    bracket = elimination.draw_bracket(entrants, third_place=third_place)
    return tuple(
        DrawnTie(
            TieKey(tie.round, Part.THIRD_PLACE if tie.is_third_place else Part.MAIN, tie.slot),
            _source(tie.first),
            _source(tie.second),
        )
        for tie in bracket
    )


def _source(source: elimination.Source) -> Source:
    if isinstance(source, elimination.Seed):
        return FromSeed(source.number)
    outcome = Outcome.WINNER if isinstance(source, elimination.WinnerOf) else Outcome.LOSER
    return FromTie(TieKey(source.round, Part.MAIN, source.slot), outcome)
