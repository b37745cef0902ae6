"""A position of one point as the search sees it, and every whole turn from it without duplicates."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Final, NamedTuple

from rules_engine.paper_soccer.field import GOALS, PLACES, POINTS, START, TOUCHING, WALLS, WAYS
from rules_engine.values import BySide, Side


class Spot(NamedTuple):
    """Where the ball is, what has been drawn, and who is to draw: nobody once the point is decided.

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


def _rows_to_goal(number: int, side: Side) -> int:
    """Return how many steps a ball is from the goal that ``side`` attacks, on an empty field."""
    x, y = PLACES[number]
    return min(max(abs(x - PLACES[goal][0]), abs(y - PLACES[goal][1])) for goal in _points(GOALS[side.opponent]))


def _points(spaces: int) -> Iterator[int]:
    return (number for number in range(POINTS) if spaces >> number & 1)


TO_GOAL: Final = BySide(*(tuple(_rows_to_goal(number, side) for number in range(POINTS)) for side in Side))
"""For each side, how far each point is from the goal that it attacks, in steps."""


def turns(spot: Spot, side: Side, limit: int) -> list[tuple[str, Spot]]:
    """Return the whole turns of ``side``, which is to draw, one for each distinct result, with what becomes of each.

    The ball is followed, nearest to the goal first, until it has bounced in ``limit`` ways. If the goal is
    among what is found, it is all that is returned; turns that give the point away come only where there are no others.
    """
    target, own_goal = GOALS[side.opponent], GOALS[side]
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
            if target >> point & 1:
                return [(text + digit, spot._replace(ball=point, drawn=after[1]).decided(side))]
            if own_goal >> point & 1:
                if spot.own_goals:
                    lost.setdefault(after, text + digit)
            elif not (WALLS >> point & 1 or point == START or drawn & TOUCHING[point]):
                found.setdefault(after, text + digit)
            elif after not in seen:
                seen.add(after)
                if _is_stuck(point, after[1], 0 if spot.own_goals else own_goal):
                    lost.setdefault(after, text + digit)
                else:
                    order += 1
                    heappush(waiting, (near[point], order, point, after[1], text + digit))
    if found or not lost:
        return [
            (text, Spot(ball, drawn, side.opponent, spot.won, spot.lost, spot.own_goals))
            for (ball, drawn), text in found.items()
        ]
    return [
        (text, spot._replace(ball=ball, drawn=drawn).decided(side.opponent)) for (ball, drawn), text in lost.items()
    ]


def _is_stuck(point: int, drawn: int, barred: int) -> bool:
    return all(drawn & segment or barred >> end & 1 for _, end, segment in WAYS[point])
