"""A position of one point as the search sees it, and every whole turn from it without duplicates."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Final, NamedTuple

from rules_engine.paper_soccer.field import GOALS, POINTS, WAYS, bounces
from rules_engine.values import BySide, Side


class Spot(NamedTuple):
    """A position of one point: the ball, what has been drawn, and who is to draw (nobody once the point is decided).

    ``won`` and ``lost`` are Yellow's chances of winning the match with this point and without it, both the same once
    it is decided. ``own_goals`` is the preset's option.
    """

    ball: int
    drawn: int
    side: Side | None
    won: float
    lost: float
    own_goals: bool

    def decided(self, winner: Side) -> Spot:
        """Return the same point when this side has got it."""
        value = self.won if winner is Side.YELLOW else self.lost
        return self._replace(side=None, won=value, lost=value)


def _steps_to_goal(side: Side) -> tuple[int, ...]:
    """Return for each point how many steps it is from the goal that ``side`` attacks, on an empty field.

    The points of the other goal, out of which no step leads, are farther than all others.
    """
    steps = {number: 0 for number in range(POINTS) if GOALS[side.opponent] >> number & 1}
    while following := [
        number
        for number in range(POINTS)
        if number not in steps and any(other in steps for _, other, _ in WAYS[number])
    ]:
        steps |= dict.fromkeys(following, max(steps.values()) + 1)
    return tuple(steps.get(number, POINTS) for number in range(POINTS))


TO_GOAL: Final = BySide(*(_steps_to_goal(side) for side in Side))
"""For each side, how far each point is from the goal that it attacks, in steps."""


def turns(spot: Spot, side: Side, limit: int) -> tuple[list[tuple[str, Spot]], int]:
    """Return the whole turns of ``side``, which is to draw, one for each distinct result, with the position after it.

    Also return how many positions were looked at: those where a turn ends, and those where the ball bounces.

    If a turn reaches the goal, only that turn is returned, however long it is. Otherwise the ball is followed, nearest
    to the goal first, until it has bounced in ``limit`` ways; turns that give the point away are returned only if there
    are no others.
    """
    if goal := find_goal(spot, side):
        return [goal], 1
    own_goal = GOALS[side]
    near = TO_GOAL[side]
    found: dict[tuple[int, int], str] = {}
    lost: dict[tuple[int, int], str] = {}
    seen = {(spot.ball, spot.drawn)}
    waiting = [(near[spot.ball], 0, spot.ball, spot.drawn, "")]
    order = 0
    while waiting and (order < limit or not (found or lost)):
        _, _, ball, drawn, text = heappop(waiting)
        for digit, point, segment in WAYS[ball]:
            if drawn & segment:
                continue
            after = point, drawn | segment
            if own_goal >> point & 1:
                if spot.own_goals:
                    lost.setdefault(after, text + digit)
            elif not bounces(point, drawn):
                found.setdefault(after, text + digit)
            elif after not in seen:
                seen.add(after)
                if _is_stuck(point, after[1], 0 if spot.own_goals else own_goal):
                    lost.setdefault(after, text + digit)
                else:
                    order += 1
                    heappush(waiting, (near[point], order, point, after[1], text + digit))
    if found:
        results = [
            (text, Spot(ball, drawn, side.opponent, spot.won, spot.lost, spot.own_goals))
            for (ball, drawn), text in found.items()
        ]
    else:
        results = [
            (text, spot._replace(ball=ball, drawn=drawn).decided(side.opponent)) for (ball, drawn), text in lost.items()
        ]
    return results, len(seen) + len(found) + len(lost)


def find_goal(spot: Spot, side: Side) -> tuple[str, Spot] | None:
    """Return the shortest turn of ``side``, which is to draw, that reaches the goal, with the position after it.

    Within a turn the ball goes on only from points where it bounces, and which these are does not change before the
    turn ends. So every way to the goal holds one that comes to no point twice, and it is enough to look at each point
    once.
    """
    target = GOALS[side.opponent]
    seen, waiting = {spot.ball}, [(spot.ball, spot.drawn, "")]
    for ball, drawn, text in waiting:
        for digit, point, segment in WAYS[ball]:
            if point in seen or spot.drawn & segment:
                continue
            if target >> point & 1:
                return text + digit, spot._replace(ball=point, drawn=drawn | segment).decided(side)
            if bounces(point, spot.drawn):
                seen.add(point)
                waiting.append((point, drawn | segment, text + digit))
    return None


def _is_stuck(point: int, drawn: int, barred: int) -> bool:
    return all(drawn & segment or barred >> end & 1 for _, end, segment in WAYS[point])
