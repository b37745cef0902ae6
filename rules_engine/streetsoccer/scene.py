"""What a StreetSoccer position looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules_engine.picture import Figure, Line, Picture, Space
from rules_engine.streetsoccer.pitch import FILES, GOALS, NAMES, PITCH, RANKS, STRIDE
from rules_engine.streetsoccer.set_up import TEAM
from rules_engine.streetsoccer.turn import spaces_of
from rules_engine.values import Side

if TYPE_CHECKING:
    from rules_engine.streetsoccer.state import StreetSoccerState


def draw(state: StreetSoccerState) -> Picture:
    """Return the picture with Red's goal at the top; marked are the spaces that a dead ball may start from."""
    return Picture(
        columns=len(FILES),
        rows=RANKS,
        spaces=SPACES,
        lines=LINES,
        figures=tuple(figure for side in Side for figure in _team(state, side)),
        ball=None if state.ball is None else NAMES[state.ball],
        marks=_marks(state),
    )


def _team(state: StreetSoccerState, side: Side) -> list[Figure]:
    players = state.players[side]
    return [
        Figure(
            side=side,
            number=index + 1,
            kind="outfielder" if index else "goalie",
            space=NAMES[players[index]] if index < len(players) else None,
        )
        for index in range(TEAM)
    ]


def _marks(state: StreetSoccerState) -> tuple[str, ...]:
    if state.side is None or state.rolling:
        return ()
    if state.phase == "kick-off":
        kickers = state.kickers()
    elif state.phase == "restart" and state.ball is None:
        kickers = spaces_of(tuple(state.keeper_choices()))
    else:
        return ()
    return tuple(name for number, name in NAMES.items() if kickers >> number & 1)


def _kind(number: int) -> str:
    if (GOALS.yellow | GOALS.red) >> number & 1:
        return "goal"
    return "pitch" if PITCH >> number & 1 else "outside"


def _box(left: float, top: float, right: float, bottom: float) -> Line:
    return Line(((left, top), (right, top), (right, bottom), (left, bottom), (left, top)))


SPACES = tuple(
    Space(name, number % STRIDE, RANKS - 1 - number // STRIDE, _kind(number)) for number, name in NAMES.items()
)
LINES = (
    _box(1, 1, 7, 11),
    Line(((1, 6), (7, 6))),
    _box(3, 1, 5, 3),
    _box(3, 9, 5, 11),
    Line(((4, 6), (5.4, 6)), kind="circle"),
    _box(3, 0.3, 5, 1),
    _box(3, 11, 5, 11.7),
)
"""Lines of the pitch, the halfway line, the penalty areas, the centre circle (its centre and a point on it), the goals."""
