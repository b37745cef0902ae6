"""The knock-out: the loser of a tie is out (rules: competitions, "Cups")."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from formats.brackets import BracketFormat, TieOptions, describe_ties
from formats.lines import Line, first_lines, meet
from formats.marked_texts import gettext_noop
from formats.options import option
from formats.pairing.elimination import count_rounds
from formats.protocol import Abilities, DrawnTie, Part


@dataclass(frozen=True, slots=True)
class KnockOutOptions(TieOptions):
    """The options of a knock-out."""

    third_place: bool = option(False, gettext_noop("third-place tie"))


class KnockOut(BracketFormat):
    """Seeds in the standard order, byes for the top seeds, and one loss is the end."""

    key = "knock-out"
    label = gettext_noop("Knock-out")
    noun = gettext_noop("knock-out")
    summary = gettext_noop("You are out when you have lost a tie.")
    options = KnockOutOptions
    min_entrants = 2

    def abilities(self, options: Any) -> Abilities:
        """Return what all brackets allow, for teams too."""
        return replace(super().abilities(options), teams=True)

    def draw_ties(self, entrants: int, options: KnockOutOptions) -> tuple[DrawnTie, ...]:
        """Return all ties, round by round. Raises ``ValueError`` for fewer than two entrants."""
        return _draw(entrants, options.third_place)

    def describe(
        self, options: KnockOutOptions, *, of_teams: bool = False, in_groups: bool = False
    ) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Return how a tie is played, and whether there is one for third place."""
        sentences = describe_ties(options, of_teams=of_teams)
        if options.third_place:
            sentences.append((gettext_noop("The losers of the semi-finals play for third place."), {}))
        return sentences


@lru_cache(maxsize=64)
def _draw(entrants: int, third_place: bool) -> tuple[DrawnTie, ...]:
    """Return the ties round by round, last of all the one for third place, if there are two semi-finals."""
    if entrants < KnockOut.min_entrants:
        raise ValueError(f"a knock-out needs {KnockOut.min_entrants} entrants, not {entrants}")
    rounds = count_rounds(entrants)
    ties: list[DrawnTie] = []
    lines = first_lines(entrants)
    out: list[list[Line]] = []
    for number in range(1, rounds + 1):
        lines, losers = meet(ties, number, Part.MAIN, lines)
        out.append(losers)
    if third_place and rounds > 1:
        meet(ties, rounds, Part.THIRD_PLACE, out[-2])
    return tuple(ties)
