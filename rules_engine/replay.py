"""Events played one after the other."""

from __future__ import annotations

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
            raise InvalidNotation(f"move {number} is {move.actor.value}'s, but {state.turn or 'nobody'} is to act")
        try:
            state = state.play(move.text)
        except IllegalMove as error:
            raise IllegalMove(error.rule, f"move {number}: {error.reason}") from None
        except InvalidNotation as error:
            raise InvalidNotation(f"move {number}: {error}") from None
        yield state
