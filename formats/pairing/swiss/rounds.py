"""A Swiss round: who meets whom on which side, and who has the bye."""

from collections.abc import Sequence
from dataclasses import dataclass

from formats.pairing.swiss.dutch import Pairing, pair_exactly
from formats.pairing.swiss.matching import can_be_paired, pair_at_least_cost, pair_large_field
from formats.pairing.swiss.players import RoundToPair, SwissPlayer
from rules_engine.values import BySide, Side

MAX_EXACT = 100
"""The most players whose round is paired exactly as the Dutch system says. At 150 it would take minutes."""


@dataclass(frozen=True, slots=True)
class SwissRound:
    """A round by pairing numbers: its pairs, the highest first, whose bye is free, and which pairs have met before."""

    pairs: tuple[BySide[int], ...]
    bye: int | None
    repeats: tuple[BySide[int], ...]


def draw_round(players: Sequence[SwissPlayer], number: int, rounds: int, first_side: Side) -> SwissRound:
    """Return the round of this number, of so many, for all these players; a player who is not in it is left out.

    ``first_side`` is the highest player's in the first round. Raises ``ValueError`` for fewer than two players.
    """
    if len(players) < 2:
        raise ValueError(f"a round needs two players, not {len(players)}")
    pairing = _pair(players, RoundToPair(number, rounds))
    by_number = {player.number: player for player in players}
    ranked = sorted(players, key=lambda player: (-player.score, player.number))
    rank = {player.number: index for index, player in enumerate(ranked)}
    pairs = sorted(pairing.pairs, key=lambda pair: sorted(rank[each] for each in pair))
    seated = [seat_pair(by_number[one], by_number[other], first_side) for one, other in pairs]
    return SwissRound(
        tuple(pair.map(_number_of) for pair in seated),
        pairing.bye,
        tuple(pair.map(_number_of) for pair in seated if pair.red.number in pair.yellow.met),
    )


def _pair(players: Sequence[SwissPlayer], to_pair: RoundToPair) -> Pairing:
    if to_pair.number == 1:
        return pair_exactly(players, to_pair)
    if len(players) > max(MAX_EXACT, 2 * to_pair.number):
        return pair_large_field(players, to_pair)
    if can_be_paired(players, to_pair):
        return pair_exactly(players, to_pair)
    return pair_at_least_cost(players, to_pair)


def _number_of(player: SwissPlayer) -> int:
    return player.number


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
