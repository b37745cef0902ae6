"""What the referee says: what is to be done now, and what is wrong with a refused step."""

from __future__ import annotations

from rules_engine.errors import IllegalMove
from rules_engine.paper_soccer.field import DIRECTIONS, GOALS, NAMES, NUMBERS, PLACES, WAYS
from rules_engine.paper_soccer.notation import COMPASS
from rules_engine.paper_soccer.position import Position

_ANY_GOAL = GOALS.yellow | GOALS.red


def stage(position: Position) -> str:
    """Return which turn is being played, such as ``"turn 7"``."""
    if position.winner:
        return "point over"
    return f"turn {len(position.path.split()) + (not position.bouncing)}"


def task(position: Position) -> str:
    """Return what whoever is to act has to do, in one sentence."""
    if position.winner:
        return "The point is over."
    if position.bouncing:
        return "The ball bounces: draw another line."
    return "Draw a line from the ball to a neighbouring point."


def refuse(position: Position, digit: str) -> IllegalMove:
    """Return why this step, which is not legal here, is refused."""
    if position.winner:
        return _refuse_when_decided(position)
    found = next(((point, segment) for known, point, segment in WAYS[position.ball] if known == digit), None)
    if found is None:
        return _refuse_wall(position, digit)
    point, segment = found
    if position.drawn & segment:
        return IllegalMove("P4", f"the line from {NAMES[position.ball]} to {NAMES[point]} has been drawn already")
    return IllegalMove("P6", f"{NAMES[point]} is in your own goal, where you may not play here")


def refuse_beyond(position: Position, turn: str) -> IllegalMove:
    """Return why a text that goes on after ``turn`` is refused: ``turn`` led here and is over."""
    if position.winner:
        return _refuse_when_decided(position)
    return IllegalMove("P5", f"after {turn} your turn is over: the ball has not been on {NAMES[position.ball]} before")


def _refuse_when_decided(position: Position) -> IllegalMove:
    if _ANY_GOAL >> position.ball & 1:
        return IllegalMove("P6", "the ball is in the goal, and the point is over")
    return IllegalMove("P7", "the ball cannot go on, and the point is over")


def _refuse_wall(position: Position, digit: str) -> IllegalMove:
    here = NAMES[position.ball]
    x, y = PLACES[position.ball]
    east, south = DIRECTIONS[int(digit)]
    point = NUMBERS.get((x + east, y + south))
    if point is None:
        return IllegalMove("P2", f"{COMPASS[int(digit)]} of {here} is off the field")
    there = NAMES[point]
    if _ANY_GOAL >> point & 1 and east:
        return IllegalMove("P3", f"{there} is not reached from {here}: past the posts no line may be drawn")
    return IllegalMove("P2", f"from {here} to {there} there is a wall, along which no line may be drawn")
