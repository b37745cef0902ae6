"""The formations in which the computer puts its players before the kick-off."""

from hashlib import sha256

from rules_engine.protocol import State
from rules_engine.streetsoccer.notation import Placed
from rules_engine.streetsoccer.pitch import space
from rules_engine.streetsoccer.position import Phase
from rules_engine.streetsoccer.set_up import placements
from rules_engine.streetsoccer.state import StreetSoccerState
from rules_engine.streetsoccer.strategy.perspective import DISTANCES, in_mirror, turned

FORMATION = tuple(space(name) for name in ("d1", "d5", "e3", "c4", "e8"))
"""The place for each player, the goalie first, as Yellow sees it: two defend, one on each side of the middle."""

LINES = (0, 1, 1, 1, 2)
"""The part of the formation in which each player stands; by the seed each part is as in a mirror, or is not."""


def place(state: State, seed: str) -> str | None:
    """Return the whole set-up of the side to act: each player as near to their place in a formation as can be.

    Which formation, follows from the seed and the side; without a seed it is always the same. ``None`` when there is
    no set-up to be made.
    """
    if not isinstance(state, StreetSoccerState) or state.phase is not Phase.SET_UP:
        return None
    mirrored = sha256(f"{seed} {state.side}".encode()).digest()[0] if seed else 0
    formation = [
        in_mirror(number) if mirrored >> line & 1 else number for number, line in zip(FORMATION, LINES, strict=True)
    ]
    spaces: list[int] = []
    after = state
    while after.phase is Phase.SET_UP and after.side is state.side:
        spaces.append(_nearest(after, formation[len(after.own)]))
        after = after.play(str(Placed((spaces[-1],))))
    return str(Placed(tuple(spaces)))


def _nearest(state: StreetSoccerState, place_of_next: int) -> int:
    """Return the space nearest to the next player's place in the formation, the first of equals."""
    near = DISTANCES[place_of_next]
    side = state.acting
    return min(
        placements(state.preset, side, state.own, state.opponents), key=lambda number: near[turned(number, side)]
    )
