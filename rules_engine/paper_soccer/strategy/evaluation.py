"""A side's chance of getting a point of Paper Soccer, by how far the ball is from both goals."""

from math import exp
from typing import Final

from rules_engine.paper_soccer.field import POINTS
from rules_engine.paper_soccer.strategy.spot import TO_GOAL, Spot
from rules_engine.values import BySide, Side

STEP: Final = 0.35
"""The gain by each step nearer to the opponent's goal than to one's own, in the logarithm of the odds."""

TO_DRAW: Final = 0.3
"""The gain of the side that is to draw, in the logarithm of the odds."""


def _chances(side: Side) -> tuple[float, ...]:
    ahead = [TO_GOAL[side.opponent][number] - TO_GOAL[side][number] for number in range(POINTS)]
    return tuple(1 / (1 + exp(-STEP * steps - TO_DRAW)) for steps in ahead)


_CHANCES: Final = BySide(*(_chances(side) for side in Side))


def chance_of_point(spot: Spot, side: Side) -> float:
    """Return the chance, from 0 to 1, that ``side``, which is to draw, gets the point."""
    return _CHANCES[side][spot.ball]
