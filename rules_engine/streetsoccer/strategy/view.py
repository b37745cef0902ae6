"""StreetSoccer as the search sees it."""

from dataclasses import dataclass
from functools import lru_cache

from rules_engine.protocol import State
from rules_engine.streetsoccer.notation import Action, Placed, read_action, write_kick
from rules_engine.streetsoccer.position import Phase, Position
from rules_engine.streetsoccer.state import StreetSoccerState
from rules_engine.streetsoccer.strategy.evaluation import evaluate, evaluate_roughly
from rules_engine.streetsoccer.strategy.shape import shape
from rules_engine.values import Side, Turn

INTO_THE_GOAL = write_kick(None)
MAX_CACHED_TEXTS = 1 << 15


def expand(state: StreetSoccerState) -> list[tuple[str, StreetSoccerState]]:
    """Return the moves worth a search with the states after them: all, or those that score if there are any."""
    moves = state.legal_moves()
    moves = [move for move in moves if move.endswith(INTO_THE_GOAL)] or moves
    return [(move, _after(state, move)) for move in moves]


def _after(state: StreetSoccerState, move: str) -> StreetSoccerState:
    action = _read(move)
    return state.play(move) if isinstance(action, Placed) else state.carry_out(action)


@lru_cache(maxsize=MAX_CACHED_TEXTS)
def _read(move: str) -> Action:
    return read_action(move)


@dataclass(frozen=True, slots=True)
class StreetSoccerView:
    """StreetSoccer's positions with their values. The set-up is not searched.

    ``insight``, from 0 to 1, is how much the evaluation counts; for the rest a rough evaluation does.
    """

    insight: float = 1.0

    def enter(self, state: State) -> StreetSoccerState:
        """Return the state itself; raises ``TypeError`` when it is another game's."""
        if not isinstance(state, StreetSoccerState):
            raise TypeError(f"this is how StreetSoccer is played, not {type(state).__name__}")
        return state

    def follow(self, state: State, text: str) -> StreetSoccerState:
        """Return the state after the move."""
        return self.enter(state.play(text))

    def turn(self, position: StreetSoccerState) -> Turn:
        """Return who acts next, nobody during the set-up."""
        return None if position.phase is Phase.SET_UP else position.turn

    def moves(self, position: StreetSoccerState) -> tuple[list[tuple[str, StreetSoccerState]], int]:
        """Return every move with the state after it, or those that score if there are any, and how many these are."""
        moves = expand(position)
        return moves, len(moves)

    def rolls(self, position: StreetSoccerState) -> list[tuple[str, float, StreetSoccerState]]:
        """Return the faces of the die with the states after them."""
        return [(roll.text, float(roll.probability), position.play(roll.text)) for roll in position.chance()]

    def value(self, position: StreetSoccerState) -> float:
        """Return Yellow's chance of winning."""
        seen = evaluate(position) if self.insight else 0.0
        looks = evaluate_roughly(position) if self.insight < 1 else 0.0
        return self.insight * seen + (1 - self.insight) * looks

    def quick_eval(self, position: StreetSoccerState) -> float:
        """Return roughly how much better Yellow stands, and a great deal more for a lead."""
        return quick_eval(position)

    def bounds(self, position: StreetSoccerState) -> tuple[float, float]:
        """Return a certain loss and a certain win."""
        return 0.0, 1.0


def quick_eval(position: Position) -> float:
    """Return how well Yellow stands, in goals: the score, and how the side that has just moved stands."""
    if position.side is None or position.phase is Phase.SET_UP:
        return evaluate(position)
    moved = position.side.opponent
    standing = shape(position, moved)
    return position.score.yellow - position.score.red + (standing if moved is Side.YELLOW else -standing)
