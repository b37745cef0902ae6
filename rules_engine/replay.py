"""Play moves one after the other."""

from collections.abc import Iterable, Iterator

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.protocol import State
from rules_engine.record import Move


def replay_moves(state: State, moves: Iterable[Move]) -> Iterator[State]:
    """Yield the state after each move, beginning in ``state``.

    Raises ``InvalidNotation`` when a move cannot be read or it is not its actor's turn, and ``IllegalMove`` when the
    rules refuse one; the message begins with the move's number, from 1.
    """
    for number, move in enumerate(moves, start=1):
        if move.actor != state.turn:
            if state.turn is None:
                raise InvalidNotation("nobody_to_act", number=number, actor=move.actor.value)
            raise InvalidNotation("actor_not_to_act", number=number, actor=move.actor.value, turn=state.turn.value)
        try:
            state = state.play(move.text)
        except IllegalMove as error:
            raise error.within("in_move", number=number) from None
        except InvalidNotation as error:
            raise error.within("in_move", number=number) from None
        yield state
