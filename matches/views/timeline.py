"""The moves of a match as its page lists them: a row a minute, or a row for a turn of each side."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from matches.models import Actor
from matches.selectors.replay import Stage
from matches.sentences import describe_move
from matches.views.rolls import DrawnRoll, draw_roll
from rules_engine.values import BySide, Score, Side


@dataclass(frozen=True, slots=True)
class Entry:
    """A move with the rolls that came before it, or a roll that is a side's and not for a move.

    ``first`` is the ply after the entry before it, ``after`` the number of moves with this one, ``score`` the score if
    the move changed it, ``played`` the move. A roll alone has no text; an open entry waits for its move.
    """

    text: str
    first: int
    after: int
    side: Side
    played: Stage | None = None
    rolls: tuple[DrawnRoll, ...] = ()
    score: Score | None = None
    is_open: bool = False

    @property
    def sentence(self) -> str:
        """Return the effect of the move, or of the roll that stands alone, in words; only of entries that are shown."""
        if self.played is None:
            return "" if self.is_open else self.rolls[0].sentence
        return describe_move(self.played)


@dataclass(slots=True)
class Row:
    """One stage of the match, such as a minute. ``opens_part`` if the row before it is of another part."""

    label: str
    ply: int
    cells: BySide[list[Entry]] = field(default_factory=lambda: BySide([], []))
    opens_part: bool = False

    @property
    def part(self) -> str:
        """Return the part of the match that the stage belongs to, such as ``"extra time"``, or nothing."""
        return self.label.rpartition(", ")[0]

    @property
    def short(self) -> str:
        """Return the label for a narrow column: its number alone, if it has one."""
        number = self.label.rpartition(" ")[2]
        return number if number.isdigit() else self.label

    @property
    def entries(self) -> list[Entry]:
        """Return the entries of both sides in the order in which they came."""
        return sorted((entry for cell in self.cells for entry in cell), key=lambda entry: entry.after)


@dataclass(frozen=True, slots=True)
class BegunRow:
    """A row before it is paired, which the next moves may extend: its label, and the ply at which it begins.

    ``yellow`` and ``red`` are after how many moves the side's first entry is there, ``None`` without any.
    """

    label: str
    ply: int
    yellow: int | None
    red: int | None

    def resume(self) -> Row:
        """Return the row with an empty entry in the place of those that each side has."""
        firsts = {Side.YELLOW: self.yellow, Side.RED: self.red}
        cells = {
            side: [] if after is None else [Entry("", self.ply, after, side, is_open=True)]
            for side, after in firsts.items()
        }
        return Row(self.label, self.ply, BySide(*cells.values()))


@dataclass(frozen=True, slots=True)
class RowsEnd:
    """The place where a list of rows goes on: a ply, the position there, and the match's chain.

    ``begun`` are the rows that the next moves may extend, ``part`` is the part of the row before these. ``is_paired``
    if rows stand in pairs.
    """

    ply: int
    position: str
    chain: str
    part: str = ""
    is_paired: bool = True
    begun: tuple[BegunRow, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveRows:
    """The rows of the moves, whether those of Yellow and then Red stand in one row, and since which ply they do not.

    ``stages`` are the rows before they are paired, ``part`` is the part of the row before the first.
    """

    rows: list[Row]
    is_paired: bool
    unpaired_since: int | None
    stages: Sequence[Row]
    part: str

    def begun_before(self, ply: int) -> tuple[str, tuple[BegunRow, ...]]:
        """Return the rows that had begun before a ply and that the next moves may extend, after the part before."""
        stages = [row for row in self.stages if any(cell and cell[0].after <= ply for cell in row.cells)]
        number = 2 if self.is_paired and len(stages) > 1 and _is_pair(*stages[-2:]) else 1
        before = stages[-number - 1].part if len(stages) > number else self.part
        return before, tuple(
            BegunRow(
                str(row.label),
                row.ply,
                *(cell[0].after if cell and cell[0].after <= ply else None for cell in row.cells),
            )
            for row in stages[-number:]
        )


def list_rows(stages: Iterable[Stage]) -> list[Row]:
    """Return the rows of all moves, the last one ending with dice that wait for their move."""
    return list_move_rows(stages).rows


def list_move_rows(stages: Iterable[Stage], end: RowsEnd | None = None) -> MoveRows:
    """Return the rows of moves from the beginning on, or from the end of a list.

    Where each stage is one side's alone, those of Yellow and then Red stand in one row.
    """
    listed = _rows(stages, [row.resume() for row in end.begun] if end else [])
    was_paired, before = (end.is_paired, end.part) if end else (True, "")
    unpaired_since = min((_both_since(row) for row in listed if all(row.cells)), default=None)
    is_paired = was_paired and unpaired_since is None
    rows, part = list(_paired(listed)) if is_paired else listed, before
    for row in rows:
        row.opens_part, part = bool(row.part) and row.part != part, row.part
    return MoveRows(rows, is_paired, unpaired_since if was_paired else None, listed, before)


def _both_since(row: Row) -> int:
    """Return after how many moves both sides have an entry in a row."""
    return max(cell[0].after for cell in row.cells)


def _rows(stages: Iterable[Stage], rows: list[Row]) -> list[Row]:
    """Return rows with what moves add to them."""
    rolls: list[DrawnRoll] = []
    first: int | None = None
    last: Stage | None = None
    for last in stages:
        text, after = last.move.text, last.move.ply + 1
        first = last.move.ply if first is None else first
        score = last.after.score if last.after.score != last.before.score else None
        if last.move.actor == Actor.CHANCE:
            roll = draw_roll(last.before, text)
            if not roll.stands_alone:
                rolls.append(roll)
                continue
            entry = Entry("", first, after, roll.sides[0], rolls=(roll,), score=score)
        else:
            entry = Entry(text, first, after, Side(last.move.actor), last, tuple(rolls), score)
            rolls = []
        _put(rows, last.before.stage, entry)
        first = after
    if last and first is not None and rolls and isinstance(last.after.turn, Side):
        side, after = last.after.turn, last.move.ply + 1
        _put(rows, last.after.stage, Entry("…", first, after, side, rolls=tuple(rolls), is_open=True))
    return rows


def _paired(rows: list[Row]) -> Iterator[Row]:
    waiting: Row | None = None
    for row in rows:
        if waiting and _is_pair(waiting, row):
            yield replace(waiting, cells=BySide(waiting.cells.yellow, row.cells.red))
            waiting = None
            continue
        if waiting:
            yield waiting
        waiting = row if row.cells.yellow else None
        if not waiting:
            yield row
    if waiting:
        yield waiting


def _is_pair(row: Row, following: Row) -> bool:
    """Return whether a row with Yellow's moves alone, and the one after it, stand in one."""
    return bool(row.cells.yellow and following.cells.red) and row.part == following.part


def _put(rows: list[Row], stage: str, entry: Entry) -> None:
    if not rows or rows[-1].label != stage:
        rows.append(Row(stage, entry.first))
    rows[-1].cells[entry.side].append(entry)
