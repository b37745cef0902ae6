"""Whole matches of any game, played with random moves and dice from a seed."""

from collections import deque
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

    The nearest ``MAX_ROLLED`` are followed: a shoot-out may go on for ever, but need not.
    """
    after: dict[State, set[State]] = {}
    waiting = deque([state])
    while waiting and len(after) < MAX_ROLLED:
        here = waiting.popleft()
        if here not in after and here.turn is Nature.CHANCE:
            after[here] = {here.play(roll.text) for roll in here.chance()}
            waiting += after[here]
    ending = {there for there in set().union(*after.values()) if there not in after}
    while more := {here for here in after.keys() - ending if after[here] & ending}:
        ending |= more
    return after.keys() - ending
