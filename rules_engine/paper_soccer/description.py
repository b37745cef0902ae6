"""Paper Soccer in sentences: what is to be done, where the ball is and can go, and what a turn draws."""

from functools import lru_cache

from rules_engine.messages import Message
from rules_engine.paper_soccer.field import GOALS, NAMES, bounces
from rules_engine.paper_soccer.position import Position

_ANY_GOAL = GOALS.yellow | GOALS.red


def stage(position: Position) -> Message:
    """Return which turn is being played, such as ``"turn 7"``."""
    if position.winner:
        return Message("stage_point_over")
    turns = position.path.count(" ") + 1 if position.path else 0
    return _stage_of_turn(turns + (not position.bouncing))


@lru_cache(maxsize=1024)
def _stage_of_turn(number: int) -> Message:
    return Message("stage_turn", number=number)


def task(position: Position) -> Message:
    """Return what the side to act has to do, in one sentence."""
    if position.winner:
        return Message("task_point_over")
    return Message("task_bounce" if position.bouncing else "task_draw")


def describe_field(position: Position) -> tuple[Message, ...]:
    """Return where the ball is, how much has been drawn, and which points can be drawn to."""
    here = Message("ball_after_lines", ball=NAMES[position.ball], lines=position.drawn.bit_count())
    if position.winner:
        return (here,)
    return here, Message("ways_on", points=tuple(_point(position, point) for _, point, _ in position.ways()))


def describe_turn(before: Position, points: list[str], after: Position) -> Message:
    """Return what a side draws, from point to point, and the result."""
    start, *over, end = points
    side = before.side.value
    if over:
        drawn = Message("draws_by", side=side, start=start, points=tuple(over), end=end)
    else:
        drawn = Message("draws", side=side, start=start, end=end)
    if after.winner is None:
        return drawn
    if _ANY_GOAL >> after.ball & 1:
        return Message("draws_to_goal", turn=drawn, winner=after.winner.value)
    return Message("draws_stuck", turn=drawn, side=after.side.value, winner=after.winner.value)


def _point(position: Position, point: int) -> str:
    name = NAMES[point]
    if _ANY_GOAL >> point & 1:
        return Message("point_goal", point=name)
    return Message("point_bounces", point=name) if bounces(point, position.drawn) else name
