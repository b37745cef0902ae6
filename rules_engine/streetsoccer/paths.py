"""The ways of a ball from one space to another, as tables (S10).

A kick goes in one direction and may bend once by 45 degrees. So on every way it gets as many spaces away as it is long,
and there are at most two ways to a space: with the diagonal part first, or with the straight part first.
"""

from functools import cache
from itertools import accumulate
from typing import NamedTuple

from rules_engine.streetsoccer.pitch import FORWARD, KEEPER_SPACES, NAMES, PITCH, STRIDE
from rules_engine.values import BySide, Side

MAX_KICK = 10
"""A kick this long reaches any space of an empty pitch."""


class Way(NamedTuple):
    """A space that a kick leads to: its set, how far it is, and the spaces entered on either way, itself included.

    Where there is one way only, both are the same.
    """

    end: int
    length: int
    one: int
    other: int


def _ways(start: int, end: int) -> list[list[int]]:
    """Return the ways from one space to another, the spaces of each in order."""
    ways = _distances(end % STRIDE - start % STRIDE, end // STRIDE - start // STRIDE)
    return [[start + distance for distance in way] for way in ways]


@cache
def _distances(across: int, up: int) -> tuple[tuple[int, ...], ...]:
    """Return the ways to a space so many files and ranks away, each as its spaces' distances from the start."""
    diagonal = min(abs(across), abs(up))
    straight = max(abs(across), abs(up)) - diagonal
    slope = _sign(across) + STRIDE * _sign(up)
    line = _sign(across) if abs(across) > abs(up) else STRIDE * _sign(up)
    orders = [slope] * diagonal + [line] * straight, [line] * straight + [slope] * diagonal
    return tuple(tuple(accumulate(steps)) for steps in orders)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _spaces(way: list[int]) -> int:
    return sum(1 << number for number in way)


def _way(start: int, end: int) -> Way:
    one, other = _ways(start, end)
    return Way(1 << end, len(one), _spaces(one), _spaces(other))


def _shots(start: int, side: Side) -> tuple[Way, ...]:
    """Return the ways across the end line from one of the keeper spaces before it (S14), shortest first.

    The space behind the line is not among those entered.
    """
    keepers = [number for number in NAMES if KEEPER_SPACES[side.opponent] >> number & 1]
    behind = sorted({keeper + FORWARD[side] + turn for keeper in keepers for turn in (-1, 0, 1)})
    shots = []
    for end in behind:
        ways = [way[:-1] for way in _ways(start, end) if (way[-2] if len(way) > 1 else start) in keepers]
        if ways:
            shots.append(Way(1 << end, len(ways[0]) + 1, _spaces(ways[0]), _spaces(ways[-1])))
    return tuple(sorted(shots, key=lambda shot: shot.length))


_ON_PITCH = [number for number in NAMES if PITCH >> number & 1]

WAYS: dict[int, dict[int, Way]] = {
    start: {end: _way(start, end) for end in _ON_PITCH if end != start} for start in _ON_PITCH
}
"""For each space on the pitch, the way to each other one."""

RINGS: dict[int, tuple[tuple[Way, ...], ...]] = {
    start: tuple(tuple(way for way in ways.values() if way.length == length) for length in range(MAX_KICK + 1))
    for start, ways in WAYS.items()
}
"""For each space on the pitch and each length, the ways to where a kick of that length can end."""

SHOTS: BySide[dict[int, tuple[Way, ...]]] = BySide(
    *({start: _shots(start, side) for start in _ON_PITCH} for side in Side)
)
"""For each side and each space on the pitch, the ways into the opponent's goal."""
