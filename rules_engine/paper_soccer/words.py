"""Paper Soccer in English sentences: where the ball is and can go, and what a turn draws."""

from __future__ import annotations

from rules_engine.paper_soccer.field import GOALS, NAMES, bounces
from rules_engine.paper_soccer.position import Position
from rules_engine.words import join_words

_ANY_GOAL = GOALS.yellow | GOALS.red


def describe_field(position: Position) -> tuple[str, ...]:
    """Return where the ball is, how much has been drawn, and which points can be drawn to."""
    lines = position.drawn.bit_count()
    here = f"The ball is on {NAMES[position.ball]}. {lines} {'line has' if lines == 1 else 'lines have'} been drawn."
    if position.winner:
        return (here,)
    ways = [
        NAMES[point] + (" (goal)" if _ANY_GOAL >> point & 1 else " (bounces)" if bounces(point, position.drawn) else "")
        for _, point, _ in position.ways()
    ]
    return here, f"From there a line can go to {join_words(ways)}."


def describe_turn(before: Position, points: list[str], after: Position) -> str:
    """Return what a side draws, from point to point, and what comes of it."""
    start, *over, end = points
    by = f" by {join_words(over)}" if over else ""
    drawn = f"{before.side.capitalize()} draws from {start}{by} to {end}."
    if after.winner is None:
        return drawn
    if _ANY_GOAL >> after.ball & 1:
        return f"{drawn} Goal for {after.winner.capitalize()}."
    return f"{drawn} {after.side.capitalize()} cannot draw on: the point is {after.winner.capitalize()}'s."
