"""The shift of a player who kicked from a keeper space and may not stay there (S17)."""

from rules_engine.streetsoccer.pitch import EAST, FORWARD, KEEPER_SPACES, PENALTY_AREAS, WEST, goal_of
from rules_engine.values import BySide, Side


def stays(number: int, side: Side, is_goalie: bool) -> bool:
    """Return whether a player of ``side`` may end on this space as far as S15 goes."""
    keeper = goal_of(number)
    return keeper is None or (is_goalie and keeper is side)


def crowds_area(number: int, side: Side, is_goalie: bool, mates: int) -> bool:
    """Return whether a player here would be the second outfielder in their own penalty area (S16).

    ``mates`` are the team's other outfielders.
    """
    area = PENALTY_AREAS[side]
    return not is_goalie and bool(area >> number & 1 and area & mates)


def shift_spaces(number: int, side: Side, is_goalie: bool, mates: int, players: int) -> tuple[int, ...]:
    """Return where the kicker on this keeper space can be moved, in the order of S17, whatever the ball does.

    ``players`` are all other players on the board.
    """
    return tuple(
        target
        for target in _TARGETS[number]
        if not players >> target & 1 and not crowds_area(target, side, is_goalie, mates)
    )


def _targets() -> dict[int, tuple[int, int, int]]:
    """Return, for each keeper space, away from the goal, the nearest sideline, the other sideline."""
    targets = {}
    for side in Side:
        west, east = _pair(KEEPER_SPACES, side)
        targets[west] = (west + FORWARD[side], west + WEST, west + 2 * EAST)
        targets[east] = (east + FORWARD[side], east + EAST, east + 2 * WEST)
    return targets


def _pair(spaces: BySide[int], side: Side) -> tuple[int, int]:
    low = spaces[side] & -spaces[side]
    return low.bit_length() - 1, (spaces[side] ^ low).bit_length() - 1


_TARGETS = _targets()
