"""The picture of any bracket, from where the entrants of its ties come: a column for each round of play.

A tie stands halfway between those whose winners meet in it, and on the line of the only one where the other entrant
comes down from elsewhere or from the seeds. So the two halves of a double elimination lie one below the other, and
their final between them. No line is drawn for losers: it would cross all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from tournaments.formats.protocol import DrawnTie, FromTie, Outcome, TieKey
from tournaments.pictures.bracket import BOX_HEIGHT, BOX_WIDTH, COLUMN, HEAD, MARGIN, ROW, Box, Bracket, Heading

T = TypeVar("T")


def lay_out_ties(ties: Sequence[DrawnTie], shown: Mapping[TieKey, T]) -> Bracket[T]:
    """Return the picture of these ties; ``shown`` is what the template shows of each.

    Each tie comes after those that it takes entrants from, as formats draw them.
    """
    sources = {tie.key: _winners_from(tie) for tie in ties}
    followed = {key for before in sources.values() for key in before}
    middles: dict[TieKey, int] = {}
    rows = 0
    for tie in ties:
        if tie.key not in followed:
            rows = _place(tie.key, sources, middles, rows)
    columns = max((tie.key.round for tie in ties), default=0)
    return Bracket(
        width=COLUMN * (columns - 1) + BOX_WIDTH + 2 * MARGIN if columns else 0,
        height=HEAD + ROW * rows if columns else 0,
        headings=tuple(Heading(number, _left(number)) for number in range(1, columns + 1)),
        boxes=tuple(Box(shown[tie.key], _left(tie.key.round), middles[tie.key] - BOX_HEIGHT // 2) for tie in ties),
        links=tuple(
            _link(before, middles[before], tie.key, middles[tie.key]) for tie in ties for before in sources[tie.key]
        ),
    )


def _winners_from(tie: DrawnTie) -> tuple[TieKey, ...]:
    """Return the ties whose winners come into a tie, the upper one first."""
    sources: Iterable[object] = (tie.first, tie.second)
    return tuple(each.tie for each in sources if isinstance(each, FromTie) and each.outcome is Outcome.WINNER)


def _place(key: TieKey, sources: Mapping[TieKey, Sequence[TieKey]], middles: dict[TieKey, int], rows: int) -> int:
    """Place a tie and all that lead to it below the rows that are taken; return how many are taken then."""
    for before in sources[key]:
        rows = _place(before, sources, middles, rows)
    if sources[key]:
        middles[key] = sum(middles[before] for before in sources[key]) // len(sources[key])
    else:
        middles[key] = HEAD + ROW * rows + ROW // 2
        rows += 1
    return rows


def _left(number: int) -> int:
    return MARGIN + COLUMN * (number - 1)


def _link(before: TieKey, start_y: int, after: TieKey, end_y: int) -> str:
    """Return the line between two ties. It bends just before the later one: boxes may stand between them."""
    start, end = _left(before.round) + BOX_WIDTH, _left(after.round)
    bend = end - (COLUMN - BOX_WIDTH) // 2
    return f"M{start} {start_y}H{bend}V{end_y}H{end}"
