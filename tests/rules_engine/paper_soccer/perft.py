"""The number of ways to go on from a position, counted on a field that is drawn on and rubbed out again.

For tests and benchmarks: nothing here decides how a match goes.
"""

from collections.abc import Iterator
from typing import Final

from rules_engine.paper_soccer.field import POINTS, SEGMENTS, WAYS, bounces
from rules_engine.paper_soccer.position import Position

Place = tuple[int, int]
"""The ball's point, and the set of the segments that have been drawn."""

_OUTWARD: Final = tuple({other: 1 << int(digit) for digit, other, _ in ways} for ways in WAYS)
"""By point: each point that a step leads to, and the bit of its direction."""


def _steps_from(number: int, free: int) -> tuple[tuple[int, int, int], ...]:
    """Return the steps in the free directions: the point, the direction's bit here, and the way back's bit there."""
    return tuple((other, bit, _OUTWARD[other].get(number, 0)) for other, bit in _OUTWARD[number].items() if free & bit)


_STEPS: Final = tuple(tuple(_steps_from(number, free) for free in range(256)) for number in range(POINTS))
"""By point and by the set of its directions that are free."""

_HOW_MANY: Final = tuple(directions.bit_count() for directions in range(256))


class Paper:
    """The field of a position, as it is while sequences are counted.

    ``free`` has a set of directions for each point: those in which nothing has been drawn. ``bounces`` says of each
    point whether a turn goes on there. Raises ``ValueError`` where own goals are forbidden: what is legal would depend
    on who is to draw.
    """

    __slots__ = ("bounces", "free")

    def __init__(self, position: Position) -> None:
        if not position.preset.own_goals:
            raise ValueError("steps are counted with own goals only")
        self.free = [sum(_OUTWARD[number].values()) for number in range(POINTS)]
        self.bounces = [bounces(number, position.drawn) for number in range(POINTS)]
        for segment, (start, end) in enumerate(SEGMENTS):
            if position.drawn >> segment & 1:
                self.free[start] &= ~_OUTWARD[start].get(end, 0)
                self.free[end] &= ~_OUTWARD[end].get(start, 0)

    def steps(self, ball: int, depth: int) -> int:
        """Return the number of sequences of so many steps, at least one, with the ball on this point."""
        free = self.free
        if depth == 1:
            return _HOW_MANY[free[ball]]
        here = free[ball]
        total = 0
        if depth == 2:
            for point, _, back in _STEPS[ball][here]:
                total += _HOW_MANY[free[point] & ~back]
            return total
        for point, bit, back in _STEPS[ball][here]:
            free[ball] ^= bit
            free[point] ^= back
            total += self.steps(point, depth - 1)
            free[point] ^= back
            free[ball] = here
        return total

    def turns(self, ball: int, depth: int) -> int:
        """Return the number of sequences of so many whole turns, at least one; the end of the point ends the last."""
        free, bounces = self.free, self.bounces
        here = free[ball]
        total = 0
        for point, bit, back in _STEPS[ball][here]:
            free[ball] ^= bit
            free[point] ^= back
            if not free[point]:
                total += depth == 1
            elif bounces[point]:
                total += self.turns(point, depth)
            elif depth == 1:
                total += 1
            else:
                bounces[point] = True
                total += self.turns(point, depth - 1)
                bounces[point] = False
            free[point] ^= back
            free[ball] = here
        return total


def count_steps(position: Position, depth: int) -> int:
    """Return the number of sequences of so many steps, at least one."""
    return Paper(position).steps(position.ball, depth)


def count_turns(position: Position, depth: int) -> int:
    """Return the number of sequences of so many whole turns, at least one; the first is what is left of the present."""
    return Paper(position).turns(position.ball, depth)


def count_positions(position: Position, depth: int) -> int:
    """Return the number of different positions after so many whole turns, those that end the point included."""
    places = {(position.ball, position.drawn)}
    for _ in range(depth):
        places = {after for place in places for after in _after_turn(*place)}
    return len(places)


def _after_turn(ball: int, drawn: int) -> Iterator[Place]:
    """Yield every place to which a whole turn leads, some of them several times."""
    for _, point, segment in WAYS[ball]:
        if drawn & segment:
            continue
        if bounces(point, drawn) and any(not (drawn | segment) & way for _, _, way in WAYS[point]):
            yield from _after_turn(point, drawn | segment)
        else:
            yield point, drawn | segment
