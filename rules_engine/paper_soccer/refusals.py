"""The reasons why a step is refused, by the rule that it breaks."""

from rules_engine.errors import IllegalMove
from rules_engine.messages import shorten
from rules_engine.paper_soccer.field import DIRECTIONS, GOALS, NAMES, NUMBERS, PLACES, WAYS
from rules_engine.paper_soccer.notation import COMPASS
from rules_engine.paper_soccer.position import Position

_ANY_GOAL = GOALS.yellow | GOALS.red


def refuse(position: Position, digit: str) -> IllegalMove:
    """Return why this step, which is not legal here, is refused."""
    if position.winner:
        return _refuse_when_decided(position)
    found = next(((point, segment) for known, point, segment in WAYS[position.ball] if known == digit), None)
    if found is None:
        return _refuse_wall(position, digit)
    point, segment = found
    if position.drawn & segment:
        return IllegalMove("P4", "line_drawn", start=NAMES[position.ball], end=NAMES[point])
    return IllegalMove("P6", "own_goal_barred", end=NAMES[point])


def refuse_beyond(position: Position, turn: str) -> IllegalMove:
    """Return why a text that goes on after ``turn`` is refused: ``turn`` led here and is over."""
    if position.winner:
        return _refuse_when_decided(position)
    return IllegalMove("P5", "turn_over", turn=shorten(turn), point=NAMES[position.ball])


def _refuse_when_decided(position: Position) -> IllegalMove:
    if _ANY_GOAL >> position.ball & 1:
        return IllegalMove("P6", "point_over_goal")
    return IllegalMove("P7", "point_over_stuck")


def _refuse_wall(position: Position, digit: str) -> IllegalMove:
    here = NAMES[position.ball]
    x, y = PLACES[position.ball]
    east, south = DIRECTIONS[int(digit)]
    point = NUMBERS.get((x + east, y + south))
    if point is None:
        return IllegalMove("P2", "off_the_field", direction=COMPASS[int(digit)], start=here)
    code = ("P3", "past_the_posts") if _ANY_GOAL >> point & 1 and east else ("P2", "along_the_wall")
    return IllegalMove(*code, start=here, end=NAMES[point])
