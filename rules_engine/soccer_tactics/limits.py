"""The limits of where a pawn may stand: how many of a team in rows, columns and areas (T3), and who stays at home (T5).

Judged on the whole team with the pawn on its new square.
"""

from rules_engine.soccer_tactics.board import BOARD, GOAL_AREAS, HALVES, PENALTY_AREAS, STRIDE
from rules_engine.soccer_tactics.team import Role
from rules_engine.values import Side

MAX_IN_ROW = 4
MAX_IN_COLUMN = 3
MAX_IN_PENALTY_AREA = 4


def territory(side: Side, role: Role) -> int:
    """Return the squares on which a pawn of this role may stand and go (T5)."""
    return HALVES[side] if role in (Role.KEEPER, Role.DEFENDER) else BOARD


def places(side: Side, role: Role, others: int, field_players: int) -> int:
    """Return the set of the squares on which one more pawn of a team may stand (T3, T5).

    ``others`` are the squares of all its other pawns, ``field_players`` of those among them who are not the keeper.
    Opponents are not looked at.
    """
    east = _runs(others, 1, MAX_IN_ROW)
    west = _runs(others, -1, MAX_IN_ROW)
    north = _runs(others, STRIDE, MAX_IN_COLUMN)
    south = _runs(others, -STRIDE, MAX_IN_COLUMN)
    if others & (east[-1] | north[-1]):
        return 0
    barred = others
    for before in range(MAX_IN_ROW + 1):
        barred |= east[before] & west[MAX_IN_ROW - before]
    for before in range(MAX_IN_COLUMN + 1):
        barred |= north[before] & south[MAX_IN_COLUMN - before]
    for area in PENALTY_AREAS:
        count = (field_players & area).bit_count()
        if count > MAX_IN_PENALTY_AREA:
            return 0
        if count == MAX_IN_PENALTY_AREA and role is not Role.KEEPER:
            barred |= area
    for area in GOAL_AREAS:
        if taken := others & area:
            if taken == area:
                return 0
            barred |= area
    return territory(side, role) & ~barred


def _runs(squares: int, step: int, longest: int) -> list[int]:
    """Return for 0, 1 … ``longest`` the squares before which so many of ``squares`` stand in an unbroken line."""
    runs = [BOARD]
    for length in range(1, longest + 1):
        runs.append(runs[-1] & (squares << step * length if step > 0 else squares >> -step * length))
    return runs
