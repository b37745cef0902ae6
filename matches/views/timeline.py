"""The moves of a match as its page lists them: a row a minute, or a row for a turn of each side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from matches.models import Actor
from matches.selectors.replay import Stage
from matches.sentences import describe_move
from matches.views.rolls import DrawnRoll, draw_roll
from rules_engine.values import BySide, Score, Side


@dataclass(frozen=True, slots=True)
class Entry:
    """A move with the rolls that came before it, or a roll that is a side's and not for a move.

    ``after`` is the number of moves with this one, ``score`` the score if the move changed it, ``sentence`` what the
    move did. A roll alone has no text.
    """

    text: str
    after: int
    side: Side
    sentence: str = ""
    rolls: tuple[DrawnRoll, ...] = ()
    score: Score | None = None


@dataclass(slots=True)
class Row:
    """One stage of the match, such as a minute."""

    label: str
    cells: BySide[list[Entry]] = field(default_factory=lambda: BySide([], []))

    @property
    def part(self) -> str:
        """The part of the match that the stage belongs to, such as ``"extra time"``, or nothing."""
        return self.label.rpartition(", ")[0]

    @property
    def short(self) -> str:
        """The label for a narrow column: its number alone, if it has one."""
        number = self.label.rpartition(" ")[2]
        return number if number.isdigit() else self.label

    @property
    def entries(self) -> list[Entry]:
        """The entries of both sides in the order in which they came."""
        return sorted((entry for cell in self.cells for entry in cell), key=lambda entry: entry.after)


def list_rows(stages: Iterable[Stage]) -> list[Row]:
    """Return the rows of the moves, the last one ending with dice that wait for their move.

    Where each stage is one side's alone, those of Yellow and then Red stand in one row.
    """
    rows: list[Row] = []
    rolls: list[DrawnRoll] = []
    last: Stage | None = None
    for last in stages:
        text, after = last.move.text, last.move.ply + 1
        score = last.after.score if last.after.score != last.before.score else None
        if last.move.actor == Actor.CHANCE:
            roll = draw_roll(last.before, text)
            if roll.sides:
                _put(rows, last.before.stage, Entry("", after, roll.sides[0], roll.sentence, (roll,), score))
            else:
                rolls.append(roll)
            continue
        side = Side(last.move.actor)
        entry = Entry(text, after, side, describe_move(last), tuple(rolls), score)
        _put(rows, last.before.stage, entry)
        rolls = []
    if last and rolls and isinstance(last.after.turn, Side):
        _put(rows, last.after.stage, Entry("…", last.move.ply + 1, last.after.turn, rolls=tuple(rolls)))
    return rows if any(all(row.cells) for row in rows) else list(_paired(rows))


def _paired(rows: list[Row]) -> Iterator[Row]:
    waiting: Row | None = None
    for row in rows:
        if waiting and row.cells.red and row.part == waiting.part:
            waiting.cells.red.extend(row.cells.red)
            yield waiting
            waiting = None
            continue
        if waiting:
            yield waiting
        waiting = row if row.cells.yellow else None
        if not waiting:
            yield row
    if waiting:
        yield waiting


def _put(rows: list[Row], stage: str, entry: Entry) -> None:
    if not rows or rows[-1].label != stage:
        rows.append(Row(stage))
    rows[-1].cells[entry.side].append(entry)
