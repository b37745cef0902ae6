"""Whole matches of any game, played with random moves and dice from a seed."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from rules_engine.protocol import State
from rules_engine.record import Move, Record
from rules_engine.registry import get_game
from rules_engine.values import Nature

MAX_MOVES = 5000
MAX_ROLLED = 100


@dataclass(frozen=True)
class Playout:
    """A match as it was played: ``states`` has one more than ``record.moves``."""

    record: Record
    states: tuple[State, ...]


@cache
def playout(key: str, seed: int) -> Playout:
    """Return a whole random match of the game with this key."""
    random = Random(f"{key} {seed}")
    state = get_game(key).start()
    states = [state]
    moves: list[Move] = []
    while state.turn is not None and len(moves) < MAX_MOVES:
        if state.turn is Nature.CHANCE:
            rolls = state.chance()
            (text,) = random.choices([roll.text for roll in rolls], [float(roll.probability) for roll in rolls])
        else:
            text = random.choice(state.legal_moves())
        moves.append(Move(state.turn, text))
        state = state.play(text)
        states.append(state)
    return Playout(Record({"Game": key, "Yellow": "anna", "Red": "piotr"}, tuple(moves)), tuple(states))


def endless(state: State) -> set[State]:
    """Return the states after any rolls from here, itself included, from which no rolls lead to a coach or the end.

    The nearest ``MAX_ROLLED`` are looked at, and as many after each: a shoot-out may go on for ever, but need not.
    """
    after: dict[State, set[State]] = {}

    def reached(here: State) -> Iterator[State]:
        """Yield the state and those that rolls lead to, the nearest first."""
        found = dict.fromkeys([here])
        waiting = deque([here])
        while waiting and len(found) < MAX_ROLLED:
            there = waiting.popleft()
            yield there
            if there.turn is Nature.CHANCE:
                if there not in after:
                    after[there] = {there.play(roll.text) for roll in there.chance()}
                waiting += [each for each in after[there] if each not in found]
                found |= dict.fromkeys(after[there])
        yield from waiting

    return {here for here in reached(state) if all(there.turn is Nature.CHANCE for there in reached(here))}
