"""Choosing a move by what each one's result is worth."""

from __future__ import annotations

from rules_engine.protocol import State
from rules_engine.streetsoccer.notation import write_kick
from rules_engine.streetsoccer.position import Phase
from rules_engine.streetsoccer.state import StreetSoccerState
from rules_engine.streetsoccer.strategy.formation import place
from rules_engine.streetsoccer.strategy.judgement import outlook, shape
from rules_engine.values import Side

INTO_THE_GOAL = write_kick(None)


def choose(state: State) -> str:
    """Return a legal move of the side to act, always the same one in the same position.

    Raises ``TypeError`` when the state is not StreetSoccer's, ``ValueError`` when no side is to act.
    """
    if not isinstance(state, StreetSoccerState):
        raise TypeError(f"this is how StreetSoccer is played, not {type(state).__name__}")
    if state.side is None or state.rolling:
        raise ValueError(f"no side is to act in {str(state)!r}")
    if state.phase is Phase.SET_UP:
        return place(state)
    if state.phase is Phase.RESTART and state.number is None:
        return max(state.legal_moves(), key=lambda move: _hope(state.play(move)))
    return _best(state)


def _best(state: StreetSoccerState) -> str:
    """Return the best turn or kick, the first of equals; one that scores if there is any."""
    side, moves = state.acting, state.legal_moves()
    goals = [move for move in moves if move.endswith(INTO_THE_GOAL)]
    results = [(move, state.play(move)) for move in goals or moves]
    return max(results, key=lambda result: shape(result[1], side) + outlook(result[1], side))[0]


def _hope(placed: StreetSoccerState) -> float:
    """Return what the restart kicks from here promise, added up over the die, which is still to be rolled (S18)."""
    rolled = [placed.play(roll.text) for roll in placed.chance()]
    return sum(
        max(shape(state.play(move), state.acting) for move in state.legal_moves())
        for state in rolled
        if isinstance(state.turn, Side)
    )
