"""The formation in which the computer puts its players before the kick-off."""

from rules_engine.protocol import State
from rules_engine.streetsoccer.notation import Placed
from rules_engine.streetsoccer.pitch import space
from rules_engine.streetsoccer.position import Phase
from rules_engine.streetsoccer.set_up import placements
from rules_engine.streetsoccer.state import StreetSoccerState
from rules_engine.streetsoccer.strategy.perspective import DISTANCES, turned

FORMATION = tuple(space(name) for name in ("d1", "d5", "e3", "c4", "e8"))
"""The place for each player, the goalie first, as Yellow sees it: two defend, one on each side of the middle."""


def place(state: State) -> str | None:
    """Return the whole set-up of the side to act: each player as near to their place in the formation as can be.

    ``None`` when there is no set-up to be made.
    """
    if not isinstance(state, StreetSoccerState) or state.phase is not Phase.SET_UP:
        return None
    spaces = []
    after = state
    while after.phase is Phase.SET_UP and after.side is state.side:
        spaces.append(_nearest(after))
        after = after.play(str(Placed((spaces[-1],))))
    return str(Placed(tuple(spaces)))


def _nearest(state: StreetSoccerState) -> int:
    """Return the space nearest to the next player's place in the formation, the first of equals."""
    near = DISTANCES[FORMATION[len(state.own)]]
    side = state.acting
    return min(
        placements(state.preset, side, state.own, state.opponents), key=lambda number: near[turned(number, side)]
    )
