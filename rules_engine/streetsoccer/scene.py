"""What a StreetSoccer position looks like."""

from __future__ import annotations

from rules_engine.picture import Figure, Line, Picture, Space
from rules_engine.streetsoccer.pitch import FILES, GOALS, NAMES, PITCH, RANKS, STRIDE
from rules_engine.streetsoccer.position import Phase, Position
from rules_engine.streetsoccer.presets import TEAM
from rules_engine.streetsoccer.turn import spaces_of
from rules_engine.values import Side


def draw(position: Position) -> Picture:
    """Return the picture with Red's goal at the top; marked are the spaces that a dead ball may start from."""
    return Picture(
        columns=len(FILES),
        rows=RANKS,
        spaces=SPACES,
        lines=LINES,
        figures=tuple(figure for side in Side for figure in _team(position, side)),
        ball=None if position.ball is None else NAMES[position.ball],
        marks=_marks(position),
    )


def _team(position: Position, side: Side) -> list[Figure]:
    players = position.players[side]
    return [
        Figure(
            side=side,
            number=index + 1,
            kind="outfielder" if index else "goalie",
            space=NAMES[players[index]] if index < len(players) else None,
        )
        for index in range(TEAM)
    ]


def _marks(position: Position) -> tuple[str, ...]:
    if position.side is None or position.rolling:
        return ()
    if position.phase is Phase.KICK_OFF:
        kickers = position.kickers
    elif position.phase is Phase.RESTART and position.ball is None:
        kickers = spaces_of(tuple(position.keeper_choices))
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
"""The pitch, the halfway line, the penalty areas, the centre circle (its centre and a point on it), the goals."""
