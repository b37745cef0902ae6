"""Distances of a side from the ball and from a goal: steps and faces, found for all players at once.

All walks to the ball are followed backwards from it. A kick scores if it is long enough, however much longer it is, so
the least length decides with which faces of the die a side scores (S8 to S14). It is ignored that a kicker can be
barred from the ball's space (S16, S17).
"""

from typing import Final

from rules_engine.streetsoccer.paths import SHOTS, WAYS
from rules_engine.streetsoccer.pitch import PITCH, STRIDE, WALKABLE
from rules_engine.values import Side

FACES: Final = 6
TOO_FAR: Final = FACES + 1
"""More steps, or a longer kick, than any face allows."""


def steps_to_ball(players: int, ball: int) -> list[int]:
    """Return, for each number of steps from 1 to 6, the set of the players who reach the ball in no fewer.

    ``players`` is the set of both sides' spaces. The list's first entry is empty.
    """
    free = WALKABLE & ~players
    front = seen = 1 << ball
    found = [0]
    for _ in range(FACES):
        grown = (front << STRIDE | front >> STRIDE | front << 1 | front >> 1) & ~seen
        found.append(grown & players)
        seen |= grown
        front = grown & free
    return found


def least_face(side: Side, players: tuple[int, ...], taken: int, ball: int, steps: list[int]) -> int:
    """Return the least face of the die with which ``side`` scores in its next turn, ``TOO_FAR`` if none does.

    ``taken`` is the set of all players' spaces, ``steps`` the result of ``steps_to_ball`` for them.
    """
    least = TOO_FAR
    for distance in range(1, FACES + 1):
        near = steps[distance]
        if not near:
            continue
        for player in players:
            if near >> player & 1 and distance < least:
                mates = tuple(mate for mate in players if mate != player)
                shot = _shortest_shot(side, mates, taken & ~(1 << player), ball, least - distance)
                least = min(least, distance - 1 + shot)
    return least


def _shortest_shot(side: Side, mates: tuple[int, ...], taken: int, ball: int, most: int) -> int:
    """Return the length of the shortest kick that scores from the ball's space, ``TOO_FAR`` if it exceeds ``most``.

    ``mates`` are the kicker's, of whom each that is on the way gives one space back (S12); ``taken`` is the set of the
    spaces of all others.
    """
    shots = SHOTS[side]
    nearest = shots[ball]
    if not nearest or nearest[0].length - len(mates) - 1 > most:
        return TOO_FAR
    best = TOO_FAR
    waiting, cost = [ball], {ball: 0}
    while waiting:
        feet = waiting.pop()
        spent = cost[feet]
        for shot in shots[feet]:
            if spent + shot.length >= best:
                break
            if not (shot.one & taken and shot.other & taken):
                best = spent + shot.length
                break
        ways = WAYS[feet]
        for mate in mates:
            if mate == feet or not PITCH >> mate & 1:
                continue
            end, length, one, other = ways[mate]
            after = spent + length - 1
            if after < min(cost.get(mate, best), most) and (one & taken == end or other & taken == end):
                cost[mate] = after
                waiting.append(mate)
    return best if best <= most else TOO_FAR
