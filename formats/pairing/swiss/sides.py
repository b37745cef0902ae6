"""The sides in a Swiss pair. These rules are our own; the order of the Dutch system's has no part in them."""

from formats.pairing.swiss.players import SwissPlayer
from rules_engine.values import BySide, Side


def seat_pair(one: SwissPlayer, other: SwissPlayer, first_side: Side) -> BySide[SwissPlayer]:
    """Return the two by their sides.

    First nobody plays a side three times running, or three times more often than the other. Then the player who has
    been Yellow less often than Red, compared with the opponent, is Yellow; then the one who was not Yellow last; then
    the higher in the table has the side that is due. Where none is due to either, the higher has ``first_side`` if
    their number is odd, else the other.
    """
    upper, lower = sorted((one, other), key=lambda player: (-player.points, player.number))
    side = _side_by_limits(upper, lower) or _side_by_balance(upper, lower) or upper.due
    if side is None and lower.due is not None:
        side = lower.due.opponent
    if side is None:
        side = first_side if upper.number % 2 else first_side.opponent
    return BySide(upper, lower) if side is Side.YELLOW else BySide(lower, upper)


def _side_by_limits(upper: SwissPlayer, lower: SwissPlayer) -> Side | None:
    """Return the side of the upper with which fewer of the two have one too often, ``None`` if either is as good."""
    as_yellow = upper.breaks_with(Side.YELLOW) + lower.breaks_with(Side.RED)
    as_red = upper.breaks_with(Side.RED) + lower.breaks_with(Side.YELLOW)
    if as_yellow == as_red:
        return None
    return Side.YELLOW if as_yellow < as_red else Side.RED


def _side_by_balance(upper: SwissPlayer, lower: SwissPlayer) -> Side | None:
    if upper.balance != lower.balance:
        return Side.YELLOW if upper.balance < lower.balance else Side.RED
    if upper.last_side == lower.last_side:
        return None
    if Side.YELLOW in {upper.last_side, lower.last_side}:
        return Side.RED if upper.last_side is Side.YELLOW else Side.YELLOW
    return Side.YELLOW if upper.last_side is Side.RED else Side.RED
