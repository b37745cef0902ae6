"""Kicking: exactly its length, with one bend a touch, played on by team-mates (S10 to S14).

All balls that are on their way are followed at once, as sets of spaces: a set for each direction
that may still bend, and one for each that has bent. How many spaces are left is the same for all of them, because a
team-mate who plays the ball on gives back the space that reaching him cost (S12).
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from rules_engine.streetsoccer.pitch import STRIDE

GoalLine = tuple[int, int]
"""The opponent's keeper spaces as a set, and the index of the direction straight across the end line."""

NO_GOAL: GoalLine = (0, 0)
"""For a kick that cannot score (S6)."""


def kick_ends(kickers: dict[int, int], own: int, free: int, goal: GoalLine) -> tuple[int, bool]:
    """Return the set of spaces where the ball can end, and whether it can end in the goal (S14).

    ``kickers`` maps a length to the set of players who may kick that far; ``own`` are the players inside the
    lines who play the ball on, ``free`` the spaces inside the lines without a player, the ball's
    own included once the ball has left it.
    """
    keeper_spaces, forward = goal
    straight = bent = _NOWHERE
    flying = 0
    scores = False
    for left in range(max(kickers), 0, -1):
        feet = kickers.get(left, 0)
        landed = 0
        if flying:
            bending = _bend(straight, bent)
            if flying & keeper_spaces and not scores:
                scores = any(
                    (straight[way % 8] | bending[way % 8]) & keeper_spaces
                    for way in (forward - 1, forward, forward + 1)
                )
            straight, bent = _step(straight), _step(bending)
            landed = reduce(or_, straight + bent)
            feet |= landed & own
        if feet:
            feet = _passed_on(feet, own)
            if feet & keeper_spaces:
                scores = True
            straight = [way | kicked for way, kicked in zip(straight, _step([feet] * 8), strict=True)]
            landed |= reduce(or_, straight)
        flying = landed & free
        straight = [way & free for way in straight]
        bent = [way & free for way in bent]
    return flying, scores


def _bend(straight: list[int], bent: list[int]) -> list[int]:
    """Return, for each direction, the balls that are bound for it with their one bend behind them (S10)."""
    north, north_east, east, south_east, south, south_west, west, north_west = straight
    return [
        bent[0] | north_west | north_east,
        bent[1] | north | east,
        bent[2] | north_east | south_east,
        bent[3] | east | south,
        bent[4] | south_east | south_west,
        bent[5] | south | west,
        bent[6] | south_west | north_west,
        bent[7] | west | north,
    ]


def _step(ways: list[int]) -> list[int]:
    """Return each direction's spaces one step on, clockwise from north as in ``DIRECTIONS``."""
    north, north_east, east, south_east, south, south_west, west, north_west = ways
    return [
        north << STRIDE,
        north_east << STRIDE + 1,
        east << 1,
        south_east >> STRIDE - 1,
        south >> STRIDE,
        south_west >> STRIDE + 1,
        west >> 1,
        north_west << STRIDE - 1,
    ]


def _passed_on(feet: int, own: int) -> int:
    """Return ``feet`` and every team-mate whom the ball reaches from neighbour to neighbour, at no cost (S12)."""
    while feet:
        row = feet | feet << 1 | feet >> 1
        grown = (row | row << STRIDE | row >> STRIDE) & own
        if grown == feet:
            break
        feet = grown
    return feet


_NOWHERE = [0] * 8
