"""The latest rows of a match's moves, in time that does not depend on the match's length.

The cache keeps where they begin, and the chain of the match says whether that is of this history. Without it the whole
match is replayed once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matches.dice import first_link, next_link
from matches.models import Actor, Match
from matches.selectors.matches import moves_between
from matches.selectors.replay import Stage
from matches.views.remembered import recall, remember
from matches.views.timeline import BegunRow, MoveRows, Row, RowsEnd, list_move_rows

MIN_MOVES = 30
"""The fewest moves and rolls that a page lists at first, in whole rows, if there are so many."""

MAX_MOVES = 50
"""The most moves and rolls before the first rows go to the earlier ones: those who look next begin at the same row."""


@dataclass(frozen=True, slots=True)
class LatestRows:
    """The latest rows of the moves, and the moves since the first of these rows began."""

    rows: list[Row]
    stages: Sequence[Stage]

    @property
    def are_all(self) -> bool:
        """Return whether there are no rows before these."""
        return not self.stages or self.stages[0].move.ply == 0


def latest_rows(match: Match) -> LatestRows:
    """Return the latest rows, of ``MIN_MOVES`` to ``MAX_MOVES`` moves and rolls, unless these are fewer or one row."""
    end = recall_latest_rows(match)
    stages = stages_since(match, end) if end else []
    listed = list_move_rows(stages, end)
    if not stages or listed.unpaired_since is not None:
        end, stages = None, stages_since(match, before_first_row(match))
        listed = list_move_rows(stages)
    rows = listed.rows
    if not rows or match.ply - rows[0].ply <= MAX_MOVES:
        return LatestRows(_headed(rows), stages)
    number = max(number for number, row in enumerate(rows) if match.ply - row.ply >= MIN_MOVES)
    begins = begin_of_row(match, stages, listed, number, end)
    remember(_key(match), write_rows_end(begins))
    return LatestRows(_headed(rows[number:]), [stage for stage in stages if stage.move.ply >= begins.ply])


def recall_latest_rows(match: Match) -> RowsEnd | None:
    """Return where the latest rows begin for those who look at the page, if there are earlier ones."""
    return recall(_key(match), read_rows_end)


def before_first_row(match: Match) -> RowsEnd:
    """Return where the first row of a match begins."""
    return RowsEnd(0, str(match.rules.start()), first_link(match.pk))


def begin_of_row(match: Match, stages: Sequence[Stage], listed: MoveRows, number: int, end: RowsEnd | None) -> RowsEnd:
    """Return where a row begins, of those listed from an end of rows or from the first move on."""
    rows = listed.rows
    if not rows:
        return before_first_row(match)
    ply, part = rows[number].ply, rows[number - 1].part if number else end.part if end else ""
    chain = end.chain if end else first_link(match.pk)
    for stage in stages:
        if stage.move.ply == ply:
            return RowsEnd(ply, str(stage.before), chain, part, listed.is_paired)
        chain = next_link(chain, stage.move.actor, stage.move.text)
    raise AssertionError("a row begins where there is no move")


def end_of_rows(match: Match, stages: Sequence[Stage], listed: MoveRows, end: RowsEnd | None) -> RowsEnd:
    """Return where rows go on, of those listed from an end of rows or from the first move on.

    That is after the last move of a side: the rolls since then may wait for the next one.
    """
    number = max((at for at, stage in enumerate(stages, 1) if stage.move.actor != Actor.CHANCE), default=0)
    if number == 0:
        return end or before_first_row(match)
    chain = end.chain if end else first_link(match.pk)
    for stage in stages[:number]:
        chain = next_link(chain, stage.move.actor, stage.move.text)
    last = stages[number - 1]
    ply = last.move.ply + 1
    part, begun = listed.begun_before(ply)
    return RowsEnd(ply, str(last.after), chain, part, listed.is_paired, begun)


def stages_since(match: Match, end: RowsEnd) -> list[Stage]:
    """Return the moves since an end of rows, between their states; none if another history has led there."""
    if end.ply == 0:
        # Where all begins, a chain does not tell games apart: the end may be of a match that had the same number.
        end = before_first_row(match)
    moves, chain = moves_between(match.pk, since=end.ply, until=match.ply), end.chain
    for move in moves:
        chain = next_link(chain, move.actor, move.text)
    if chain != match.chain and end.ply > 0:
        return []
    state, stages = match.rules.read(end.position), []
    for move in moves:
        after = state.replay(move.text)
        stages.append(Stage(move, state, after))
        state = after
    return stages


def read_rows_end(found: dict[str, Any]) -> RowsEnd:
    """Return an end of rows that was remembered."""
    return RowsEnd(**{**found, "begun": tuple(BegunRow(*row) for row in found["begun"])})


def write_rows_end(end: RowsEnd) -> dict[str, Any]:
    """Return an end of rows as plain values."""
    return {
        "ply": end.ply,
        "position": end.position,
        "chain": end.chain,
        "part": end.part,
        "is_paired": end.is_paired,
        "begun": [(row.label, row.ply, row.yellow, row.red) for row in end.begun],
    }


def _headed(rows: list[Row]) -> list[Row]:
    """Return rows of which the first has the heading of its part: nobody sees the row that opened it."""
    if rows:
        rows[0].opens_part = bool(rows[0].part)
    return rows


def _key(match: Match) -> str:
    return f"match-rows:{match.pk}"
