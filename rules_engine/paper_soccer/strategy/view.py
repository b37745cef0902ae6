"""Paper Soccer as the search sees it: the point that is being played, turn by turn."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import exp
from typing import Final

from rules_engine.paper_soccer.field import POINTS, START
from rules_engine.paper_soccer.rally import Rally
from rules_engine.paper_soccer.strategy.spot import TO_GOAL, Spot, find_goal, turns
from rules_engine.protocol import State
from rules_engine.series import COIN, SeriesState
from rules_engine.values import BySide, Nature, Side, Turn

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


NOWHERE: Final = -1
"""The number in place of the ball's point before the coin has decided who begins."""


@dataclass(frozen=True, slots=True)
class PaperSoccerView:
    """The point that is being played, with the chance of winning the match by the points.

    ``bounces`` is how many ways of bouncing are followed within a turn, ``evaluation`` the chance of getting the
    point of the side to draw. With ``foresight`` a side that can reach the goal in its turn is certain of the point,
    also where no turn is looked ahead any more.
    """

    bounces: int
    foresight: bool = False
    evaluation: Callable[[Spot, Side], float] = chance_of_point

    def enter(self, state: State) -> Spot:
        """Return the point that is being played; raises ``TypeError`` when the state is another game's."""
        if not isinstance(state, SeriesState) or not isinstance(state.rally, Rally | None):
            raise TypeError(f"this is how Paper Soccer is played, not {type(state).__name__}")
        yellow, red = state.score
        wins, rally = state.series.wins, state.rally
        won, lost = match_chance(yellow + 1, red, wins), match_chance(yellow, red + 1, wins)
        if state.outcome:
            value = match_chance(yellow, red, wins)
            return Spot(START, 0, None, value, value, own_goals=True)
        if rally is None:
            return Spot(NOWHERE, 0, None, won, lost, own_goals=True)
        return Spot(rally.ball, rally.drawn, rally.side, won, lost, rally.preset.own_goals)

    def follow(self, state: State, text: str) -> Spot:
        """Return the point after a step or several; it is decided where they end it, in whatever way."""
        after = state.play(text)
        scorer = next((side for side in Side if after.score[side] > state.score[side]), None)
        return self.enter(state).decided(scorer) if scorer else self.enter(after)

    def turn(self, position: Spot) -> Turn:
        """Return who is to draw, chance before the coin, nobody once the point is decided."""
        return Nature.CHANCE if position.ball == NOWHERE else position.side

    def moves(self, position: Spot) -> tuple[list[tuple[str, Spot]], int]:
        """Return whole turns, or what is left of one: one for each distinct result that is found.

        The ball's bounces within them are positions that were looked at, too.
        """
        if position.side is None:
            raise ValueError("nobody is to draw")
        return turns(position, position.side, self.bounces)

    def rolls(self, position: Spot) -> list[tuple[str, float, Spot]]:
        """Return the faces of the coin, each with the fresh field."""
        return [
            (face.text, float(face.probability), position._replace(ball=START, side=Side(face.text))) for face in COIN
        ]

    def value(self, position: Spot) -> float:
        """Return Yellow's chance of winning the match."""
        side = position.side
        if self.foresight and side is not None and (goal := find_goal(position, side)):
            return goal[1].won
        return self.quick_eval(position)

    def quick_eval(self, position: Spot) -> float:
        """Return the same without foresight."""
        side = position.side
        if side is None:
            return (position.won + position.lost) / 2
        chance = self.evaluation(position, side)
        yellow = chance if side is Side.YELLOW else 1 - chance
        return position.lost + yellow * (position.won - position.lost)

    def bounds(self, position: Spot) -> tuple[float, float]:
        """Return Yellow's chances without this point and with it."""
        return position.lost, position.won


@cache
def match_chance(yellow: int, red: int, wins: int) -> float:
    """Return Yellow's chance of being first to so many points when each point is as likely for either."""
    if yellow >= wins or red >= wins:
        return float(yellow >= wins)
    return (match_chance(yellow + 1, red, wins) + match_chance(yellow, red + 1, wins)) / 2
