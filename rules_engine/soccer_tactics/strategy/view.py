"""Soccer Tactics as the search sees it."""

from collections.abc import Iterator
from dataclasses import dataclass

from rules_engine.protocol import State
from rules_engine.soccer_tactics import consequences
from rules_engine.soccer_tactics.board import BOARD, squares_of
from rules_engine.soccer_tactics.legal_moves import pawn_targets
from rules_engine.soccer_tactics.notation import MOVES, PASS, read_action
from rules_engine.soccer_tactics.position import CORNER_KEEPER, Phase
from rules_engine.soccer_tactics.state import SoccerTacticsState
from rules_engine.soccer_tactics.strategy.evaluation import Sight, evaluate, promise
from rules_engine.values import Side, Turn

Found = list[tuple[str, SoccerTacticsState]]


def expand(state: SoccerTacticsState, width: int, sight: Sight) -> Found:
    """Return moves of the side to act with the states after them: all, or of a pawn's those that promise most.

    Of the moves with a die and of the placings at a corner there are hundreds: all that reach the ball are returned,
    and of the others so many as ``width``.
    """
    side = state.acting
    if side is None or not _moves_pawns(state):
        return [(text, state.carry_out(read_action(text))) for text in state.legal_moves()]
    ball = state.ball_square
    moves = list(_pawn_moves(state, side, ball, sight))
    if not moves:
        return [(PASS, consequences.pass_by(state))]
    moves.sort(key=lambda move: move[0], reverse=True)
    found: Found = []
    for _, start, end in moves:
        if end == ball or len(found) < width:
            found.append((MOVES[start][end], consequences.move_pawn(state, start, end)))
    if state.phase is Phase.CORNER:
        found.append((PASS, consequences.pass_by(state)))
    return found


def _moves_pawns(state: SoccerTacticsState) -> bool:
    """Return whether a pawn is to be moved by a die, or put on any square at a corner."""
    if state.phase is Phase.CORNER:
        return state.count > CORNER_KEEPER
    return state.pips > 0 and state.phase is not Phase.BALL


def _pawn_moves(state: SoccerTacticsState, side: Side, ball: int, sight: Sight) -> Iterator[tuple[float, int, int]]:
    """Yield the moves of the pawns with what they promise; at a corner D takes the squares that promise O most."""
    promised = state.attackers if state.phase is Phase.CORNER else side
    for shirt in state.field_players(side):
        start = state.square_of(side, shirt)
        left = promise(promised, ball, start, sight)
        for end in squares_of(pawn_targets(state, side, shirt) & BOARD):
            yield promise(promised, ball, end, sight) - left, start, end


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
        """Return who acts next, nobody in a shoot-out: its value is exact, and it can go on for ever."""
        return None if position.phase is Phase.SHOOT_OUT else position.turn

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
