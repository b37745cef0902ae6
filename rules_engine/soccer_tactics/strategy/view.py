"""Soccer Tactics as the search sees it."""

from dataclasses import dataclass

from rules_engine.protocol import State
from rules_engine.soccer_tactics.state import SoccerTacticsState
from rules_engine.soccer_tactics.strategy.candidates import expand
from rules_engine.soccer_tactics.strategy.evaluation import Sight, evaluate
from rules_engine.values import Turn


@dataclass(frozen=True, slots=True)
class SoccerTacticsView:
    """Soccer Tactics' positions with their values.

    ``width`` is how many moves of pawns are looked at beside those that reach the ball, ``sight`` how much is seen.
    """

    width: int
    sight: Sight = Sight.ROLLS

    def enter(self, state: State) -> SoccerTacticsState:
        """Return the state itself; raises ``TypeError`` when it is another game's."""
        if not isinstance(state, SoccerTacticsState):
            raise TypeError(f"this is how Soccer Tactics is played, not {type(state).__name__}")
        return state

    def follow(self, state: State, text: str) -> SoccerTacticsState:
        """Return the state after the move."""
        return self.enter(state.play(text))

    def turn(self, position: SoccerTacticsState) -> Turn:
        """Return who acts next."""
        return position.turn

    def moves(self, position: SoccerTacticsState) -> tuple[list[tuple[str, SoccerTacticsState]], int]:
        """Return the moves worth a look with the states after them, and how many these are."""
        moves = expand(position, self.width, self.sight)
        return moves, len(moves)

    def rolls(self, position: SoccerTacticsState) -> list[tuple[str, float, SoccerTacticsState]]:
        """Return the rolls with the states after them."""
        return [(roll.text, float(roll.probability), position.play(roll.text)) for roll in position.chance()]

    def value(self, position: SoccerTacticsState) -> float:
        """Return Yellow's chance of winning."""
        return evaluate(position, self.sight)

    def quick_eval(self, position: SoccerTacticsState) -> float:
        """Return roughly Yellow's chance of winning: the next roll is not looked at."""
        return evaluate(position, min(self.sight, Sight.SHOTS))

    def bounds(self, position: SoccerTacticsState) -> tuple[float, float]:
        """Return a certain loss and a certain win."""
        return 0.0, 1.0
