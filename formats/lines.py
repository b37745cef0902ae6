"""The lines of a bracket while it is drawn: where those on them come from, and how they meet.

The winners of slots 2n and 2n + 1 of a round stand on the lines of slot n of the next. Top seeds whose opponents are
missing have a bye: no tie is drawn in their slot, and they stand in the next round at once.
"""

from collections.abc import Sequence

from formats.pairing.elimination import count_rounds, seed_lines
from formats.protocol import DrawnTie, FromSeed, FromTie, Outcome, Part, Source, TieKey

Line = Source | None
"""The source of the entrant on a line, ``None`` for nobody."""


def first_lines(entrants: int, *, is_mirrored: bool = True) -> list[Line]:
    """Return the lines of the first round, from the top, for so many entrants; ``seed_lines`` says what is mirrored."""
    seeds = seed_lines(count_rounds(entrants), is_mirrored=is_mirrored)
    return [FromSeed(seed) if seed <= entrants else None for seed in seeds]


def meet(ties: list[DrawnTie], number: int, part: Part, lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Let lines meet in pairs, and return where those who win and those who lose come from, in the order of slots.

    An entrant who meets nobody goes on, and then nobody loses.
    """
    winners: list[Line] = []
    losers: list[Line] = []
    for slot in range(len(lines) // 2):
        first, second = lines[2 * slot : 2 * slot + 2]
        if first is None or second is None:
            winners.append(first or second)
            losers.append(None)
        else:
            tie = DrawnTie(TieKey(number, part, slot), first, second)
            ties.append(tie)
            winners.append(FromTie(tie.key, Outcome.WINNER))
            losers.append(FromTie(tie.key, Outcome.LOSER))
    return winners, losers
