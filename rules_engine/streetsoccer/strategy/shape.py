"""The shape of a team: how good a position is for the side that has just moved, in goals."""

from rules_engine.streetsoccer.pitch import KEEPER_SPACES, NAMES, PITCH, STRIDE, mask
from rules_engine.streetsoccer.position import Position
from rules_engine.streetsoccer.strategy.perspective import DISTANCES, FROM_MIDDLE, WORTH, turned
from rules_engine.values import Side

KEEPERS = tuple(number for number in NAMES if KEEPER_SPACES.yellow >> number & 1)
OPPOSITE_KEEPER = next(number for number in NAMES if KEEPER_SPACES.red >> number & 1)
UPFIELD = mask(" ".join(f"{file}{rank}" for file in "bcdefg" for rank in range(7, 11)))

GOALIE_AWAY = -0.08
NEAREST_AWAY = -0.02
SECOND_AWAY = -0.01
OPPONENT_AWAY = 0.01
DEFENDER = 0.03
ATTACKER = 0.03
OUTSIDE = -0.03
"""The weights of each step of the goalie from the own keeper spaces, of our two nearest players and of the nearest
opponent from the ball, and of each of our players who defends, attacks, or stands outside the lines."""

FAR = 7
"""From how many steps on it no longer matters how far the nearest opponent is."""

MAX_USEFUL = 2
"""The most defenders, and the most attackers, that are worth having."""

MIDDLE = 2
"""The distance from the middle of the board, in files, within which a defender is in the way."""


def shape(position: Position, side: Side) -> float:
    """Return how well ``side`` stands, in goals. A ball out of play is taken to be with the opponent's goalie."""
    own = [turned(player, side) for player in position.players[side]]
    ball = OPPOSITE_KEEPER if position.ball is None else turned(position.ball, side)
    away = DISTANCES[ball]
    nearest, second, *_ = sorted([away[player] for player in own])
    opponent = min([away[turned(player, side)] for player in position.players[side.opponent]])
    goalie_away, defenders, attackers = posts(own, ball)
    outside = sum([not PITCH >> player & 1 for player in own])
    return (
        WORTH[Side.YELLOW][ball]
        + GOALIE_AWAY * goalie_away
        + NEAREST_AWAY * nearest
        + SECOND_AWAY * second
        + OPPONENT_AWAY * min(opponent, FAR)
        + DEFENDER * defenders
        + ATTACKER * attackers
        + OUTSIDE * outside
    )


def posts(players: list[int], ball: int) -> tuple[int, int, int]:
    """Return how many steps the goalie is from the own keeper spaces, and how many players defend and attack usefully.

    ``players`` are a side's, the goalie first, as it sees them, and so is ``ball``.
    """
    goalie, *outfielders = players
    rank = ball // STRIDE
    defenders = sum([player // STRIDE < rank and FROM_MIDDLE[player] < MIDDLE for player in outfielders])
    attackers = sum([UPFIELD >> player & 1 for player in outfielders])
    away = min([DISTANCES[goalie][keeper] for keeper in KEEPERS])
    return away, min(defenders, MAX_USEFUL), min(attackers, MAX_USEFUL)
