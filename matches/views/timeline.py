"""The moves of a match as its page lists them: a row a minute, Yellow's moves and Red's beside each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from matches.models import Actor
from matches.selectors.replay import Stage
from rules_engine.values import BySide, Score, Side


@dataclass(frozen=True, slots=True)
class Entry:
    """A move with the dice that came before it.

    ``after`` is the number of events with this one, ``score`` the score if the move changed it.
    """

    text: str
    after: int
    dice: tuple[str, ...] = ()
    score: Score | None = None


@dataclass(slots=True)
class Row:
    """One stage of the match, such as a minute."""

    label: str
    cells: BySide[list[Entry]] = field(default_factory=lambda: BySide([], []))

    @property
    def short(self) -> str:
        """The label for a narrow column: its number alone, if it has one."""
        number = self.label.rpartition(" ")[2]
        return number if number.isdigit() else self.label


def list_rows(stages: Iterable[Stage]) -> list[Row]:
    """Return the rows of the events, the last one ending with dice that wait for their move."""
    rows: list[Row] = []
    dice: list[str] = []
    last: Stage | None = None
    for last in stages:
        if last.move.actor == Actor.CHANCE:
            dice.append(last.move.text)
            continue
        entry = Entry(
            text=last.move.text,
            after=last.move.ply + 1,
            dice=tuple(dice),
            score=last.after.score if last.after.score != last.before.score else None,
        )
        _put(rows, last.before.stage, last.move.actor, entry)
        dice = []
    if last and dice and isinstance(last.after.turn, Side):
        _put(rows, last.after.stage, last.after.turn, Entry("…", last.move.ply + 1, tuple(dice)))
    return rows


def _put(rows: list[Row], stage: str, actor: str, entry: Entry) -> None:
    if not rows or rows[-1].label != stage:
        rows.append(Row(stage))
    rows[-1].cells[Side(actor)].append(entry)
