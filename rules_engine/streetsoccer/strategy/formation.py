"""Where the computer puts its players before the kick-off."""

from __future__ import annotations

from rules_engine.protocol import State
from rules_engine.streetsoccer.pitch import NUMBERS, space
from rules_engine.streetsoccer.position import Phase
from rules_engine.streetsoccer.state import StreetSoccerState
from rules_engine.streetsoccer.strategy.sight import DISTANCES, turned

FORMATION = tuple(space(name) for name in ("d1", "d5", "e3", "c4", "e8"))
"""Where each player is wanted, the goalie first, as Yellow sees it: two to defend, one on each side of the middle."""


def place(state: State) -> str | None:
    """Return, during the set-up, the placement nearest to where the next player is wanted, the first of equals."""
    if not isinstance(state, StreetSoccerState) or state.phase is not Phase.SET_UP:
        return None
    near = DISTANCES[FORMATION[len(state.own)]]
    return min(state.legal_moves(), key=lambda move: near[turned(NUMBERS[move.removeprefix("@")], state.acting)])
