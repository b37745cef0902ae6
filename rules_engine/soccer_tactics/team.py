"""Teams: shirts, roles, where pawns stand when they are not on the board (T2)."""

from enum import StrEnum
from typing import Final

from rules_engine.soccer_tactics.board import NUMBERS, mirrored
from rules_engine.values import BySide, Side

SHIRTS: Final = range(1, 12)
DEFENDERS: Final = range(2, 6)
MIDFIELDERS: Final = range(6, 10)
STRIKERS: Final = range(10, 12)

WAITING: Final = -1
"""The square of a pawn that is to be put on the board."""

SENT_OFF: Final = -2
"""The square of a pawn that was sent off."""

Squares = tuple[int, ...]
"""The squares of the pawns of a team, by shirt: that of shirt 1 first."""


class Role(StrEnum):
    """The place of a pawn in its team."""

    KEEPER = "keeper"
    DEFENDER = "defender"
    MIDFIELDER = "midfielder"
    STRIKER = "striker"


_ROLES: Final = {
    SHIRTS[0]: Role.KEEPER,
    **dict.fromkeys(DEFENDERS, Role.DEFENDER),
    **dict.fromkeys(MIDFIELDERS, Role.MIDFIELDER),
    **dict.fromkeys(STRIKERS, Role.STRIKER),
}
"""The roles of pawns by shirt, unless they become keeper. A first keeper who was sent off stays one."""


def role_of(shirt: int, keeper: int) -> Role:
    """Return the role of a shirt in a team whose keeper has the shirt ``keeper``."""
    return Role.KEEPER if shirt == keeper else _ROLES[shirt]


_HOMES = "b4 d4 e4 g4 a6 c6 f6 h6"
HOMES: Final = BySide(
    *({shirt: NUMBERS[name] for shirt, name in enumerate(names.split(), 2)} for names in (_HOMES, mirrored(_HOMES)))
)
"""The squares of defenders and midfielders at a kick-off, by shirt (T2)."""


def find_kicker(squares: Squares, keeper: int) -> int:
    """Return the shirt that takes a kick-off (T13): a striker, without one a midfielder, a defender, the keeper."""
    for shirts in (STRIKERS, MIDFIELDERS, DEFENDERS):
        for shirt in shirts:
            if shirt != keeper and squares[shirt - 1] != SENT_OFF:
                return shirt
    return keeper


def find_new_keeper(squares: Squares, keeper: int) -> int | None:
    """Return the shirt that becomes keeper when ``keeper`` is sent off (T14), ``None`` if nobody is left."""
    for shirts in (DEFENDERS, MIDFIELDERS, STRIKERS):
        for shirt in shirts:
            if shirt != keeper and squares[shirt - 1] != SENT_OFF:
                return shirt
    return None


def set_up(side: Side, squares: Squares, keeper: int, kicker: int | None) -> Squares:
    """Return a team before its pawns are placed for a kick-off; ``kicker`` takes it, if the team kicks off."""
    return tuple(
        SENT_OFF
        if square == SENT_OFF
        else WAITING
        if shirt in (keeper, kicker) or shirt not in HOMES[side]
        else HOMES[side][shirt]
        for shirt, square in enumerate(squares, 1)
    )
