"""Kicks: exactly their length, with one bend a touch, played on by team-mates (S10 to S14).

Only the player with the ball and the length of the kick matter, not how the ball came there. It goes to every free
space at exactly that distance that a way leads to. Any team-mate nearer than that plays it on, with the rest of the
length plus the one space that a team-mate gives back (S12).
"""

from collections.abc import Iterable

from rules_engine.streetsoccer.paths import RINGS, SHOTS, WAYS
from rules_engine.values import Side

Ball = tuple[int, int]
"""A ball at a player's feet: the space, and how many spaces it can be kicked."""


def kick_ends(balls: Iterable[Ball], own: Iterable[int], taken: int, scorer: Side | None) -> tuple[int, bool]:
    """Return the set of spaces where one of the balls can end, and whether one can end in the goal (S14).

    ``own`` are the players inside the lines who play the ball on, ``taken`` the set of all players' spaces, theirs
    included. ``scorer`` is the side that kicks, or ``None`` for a kick that cannot score (S6).
    """
    waiting = list(balls)
    seen = set(waiting)
    ends = 0
    shots = SHOTS[scorer] if scorer else {}
    scores = False
    while waiting:
        feet, left = waiting.pop()
        for end, _, one, other in RINGS[feet][left]:
            if not one & taken or not other & taken:
                ends |= end
        ways = WAYS[feet]
        for mate in own:
            if mate == feet:
                continue
            end, length, one, other = ways[mate]
            if length <= left and (one & taken == end or other & taken == end):
                ball = (mate, left - length + 1)
                if ball not in seen:
                    seen.add(ball)
                    waiting.append(ball)
        if shots and not scores:
            scores = any(shot.length <= left and not (shot.one & taken and shot.other & taken) for shot in shots[feet])
    return ends, scores
