"""Events played one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.events import Event
from rules_engine.protocol import State


def follow(state: State, events: Iterable[Event]) -> Iterator[State]:
    """Yield the state after each event, beginning in ``state``.

    Raises ``InvalidNotation`` when an event cannot be read or it is not its actor's turn, and ``IllegalMove`` when the
    rules refuse one; the message begins with the event's number, from 1.
    """
    for number, event in enumerate(events, start=1):
        if event.actor != state.turn:
            raise InvalidNotation(f"event {number} is {event.actor.value}'s, but {state.turn or 'nobody'} is to act")
        try:
            state = state.play(event.text)
        except IllegalMove as error:
            raise IllegalMove(error.rule, f"event {number}: {error.reason}") from None
        except InvalidNotation as error:
            raise InvalidNotation(f"event {number}: {error}") from None
        yield state
