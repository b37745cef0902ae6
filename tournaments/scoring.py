"""What a match is worth: outcomes to match points (rules: competitions, "Match points and standings").

How a match ended is one fact, what it is worth another. Each game has a table of its own; a
competition may choose another one. The two sides' points need not add up to the same sum twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from rules_engine.values import BySide, Ending, Outcome, Side

Points = BySide[int]
"""Match points, Yellow's first."""

NEITHER_PLAYED: Points = BySide(0, 0)
"""What a match is worth that neither side played."""

_NORMAL_WIN = Outcome(Side.YELLOW, Ending.NORMAL_TIME, BySide(1, 0))


class Scorer(Protocol):
    """Anything that can say what an outcome is worth: every game, and every point table."""

    def match_points(self, outcome: Outcome) -> Points:
        """Return what the outcome is worth to each side."""


@dataclass(frozen=True, slots=True)
class PointTable:
    """A competition's own answer to what an outcome is worth.

    ``wins`` gives (winner, loser) by ending; an ending that it does not name is worth a win in
    normal time, which it has to name. ``drawn`` is what each side gets when nobody won, ``bye``
    what an entrant gets without an opponent (``None``: a win in normal time), ``neither`` what each
    side gets for a match that neither played.

    Raises ``ValueError`` when ``wins`` lacks normal time.
    """

    wins: Mapping[Ending, tuple[int, int]]
    drawn: int
    bye: int | None = None
    neither: int = 0

    def __post_init__(self) -> None:
        if Ending.NORMAL_TIME not in self.wins:
            raise ValueError("a point table has to say what a win in normal time is worth")

    def match_points(self, outcome: Outcome) -> Points:
        """Return what the outcome is worth to each side."""
        if outcome.winner is None:
            return BySide(self.drawn, self.drawn)
        won, lost = self.wins.get(outcome.ending, self.wins[Ending.NORMAL_TIME])
        return BySide(won, lost) if outcome.winner is Side.YELLOW else BySide(lost, won)


STANDARD = PointTable({Ending.NORMAL_TIME: (5, 0), Ending.SUDDEN_DEATH: (4, 1), Ending.LAST_GOAL: (3, 2)}, drawn=2)
"""What most competitions give: 5-0, 4-1, 3-2, and 2-2 where nobody won."""


def points_of(game: Scorer, outcome: Outcome, table: PointTable | None = None) -> Points:
    """Return what the outcome is worth: by the competition's table, else by the game's own.

    A forfeit that nobody won is the match that neither side played.
    """
    if outcome.winner is None and outcome.ending is Ending.FORFEIT:
        return NEITHER_PLAYED if table is None else BySide(table.neither, table.neither)
    return (table or game).match_points(outcome)


def bye_points(game: Scorer, table: PointTable | None = None) -> int:
    """Return what a bye is worth: the table's own figure, else a win in normal time. It counts no goals."""
    if table is not None and table.bye is not None:
        return table.bye
    return (table or game).match_points(_NORMAL_WIN).yellow
