"""Walks: exactly the die, orthogonally, through free spaces (S7, S8, S9)."""

from rules_engine.streetsoccer.pitch import STRIDE


def walk(start: int, pips: int, free: int, ball: int) -> tuple[int, int]:
    """Return where a walk from ``start`` can end, and how long the kicks are that it can lead to.

    ``free`` and ``ball`` are sets of spaces; the start is not among the free ones, so that nobody
    returns to it (S7), and neither is the ball's, where every walk stops (S8). The first result is the set of
    spaces reached with all pips; the second has bit n set when the ball can be reached with
    n - 1 pips left, which makes a kick of n (S9).
    """
    reached = 1 << start
    kicks = 0
    for length in range(pips, 0, -1):
        reached = reached << STRIDE | reached >> STRIDE | reached << 1 | reached >> 1
        if reached & ball:
            kicks |= 1 << length
        reached &= free
        if not reached:
            break
    return reached, kicks
