"""Kicking: exactly its length, with one bend a touch, played on by team-mates (S10 to S14).

All balls that are on their way are followed at once, as sets of spaces: a set for each direction
that may still bend, and one for each that has bent. How many spaces are left is the same for all of them, because a
team-mate who plays the ball on gives back the space that reaching him cost (S12).
"""

from __future__ import annotations

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
    straight = [0] * 8
    bent = [0] * 8
    keeper_spaces, forward = goal
    scores = False
    for left in range(max(kickers), 0, -1):
        feet = kickers.get(left, 0)
        bending = [
            bent[0] | straight[7] | straight[1],
            bent[1] | straight[0] | straight[2],
            bent[2] | straight[1] | straight[3],
            bent[3] | straight[2] | straight[4],
            bent[4] | straight[3] | straight[5],
            bent[5] | straight[4] | straight[6],
            bent[6] | straight[5] | straight[7],
            bent[7] | straight[6] | straight[0],
        ]
        if keeper_spaces and not scores:
            scores = any(
                (straight[way % 8] | bending[way % 8]) & keeper_spaces
                for way in (forward - 1, forward, forward + 1)
            )
        straight = _step(straight)
        bent = _step(bending)
        landed = 0
        for spaces in straight:
            landed |= spaces
        for spaces in bent:
            landed |= spaces
        feet = _neighbours_of_neighbours(feet | landed & own, own)
        if feet & keeper_spaces:
            scores = True
        kicked = _step([feet] * 8) if feet else straight
        straight = [(way | start) & free for way, start in zip(straight, kicked, strict=True)]
        bent = [way & free for way in bent]
    ends = 0
    for spaces in straight:
        ends |= spaces
    for spaces in bent:
        ends |= spaces
    return ends, scores


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


def _neighbours_of_neighbours(feet: int, own: int) -> int:
    """Return ``feet`` and every team-mate whom neighbours can pass the ball on to: it costs nothing (S12)."""
    while feet:
        row = feet | feet << 1 | feet >> 1
        grown = (row | row << STRIDE | row >> STRIDE) & own
        if grown == feet:
            break
        feet = grown
    return feet
