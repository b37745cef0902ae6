"""Chances that the rules fix: of a battle, of a shoot-out, and of winning by score and clock."""

from functools import cache
from typing import Final, NamedTuple

from rules_engine.soccer_tactics.position import FIVE_EACH

SCORING: Final = 0.03
"""The chance of each side to score in a minute: two computers score 2 to 3 goals in 50 minutes."""

MAX_LEAD: Final = 6
"""A lead of more goals is as good as this one."""

PENALTY: Final = 0.5
"""The chance that a penalty scores (T12)."""


class Battle(NamedTuple):
    """The chances of the ways in which a battle ends, as O sees them (T11)."""

    won: float
    lost: float
    own_foul: float
    other_foul: float


@cache
def battle(bonus: int) -> Battle:
    """Return the chances of a battle in which O adds so much more to its die than D."""
    won = lost = 0
    for own in range(1, 7):
        for other in range(1, 7):
            if {own, other} != {1, 6}:
                won += own + bonus > other
                lost += own + bonus < other
    decided = won + lost + 2
    return Battle(won / decided, lost / decided, 1 / decided, 1 / decided)


@cache
def chance_by_clock(lead: int, minutes: int, extra: int) -> float:
    """Return the chance of winning with this lead, a shoot-out counting a half.

    ``minutes`` are still to begin before the match can end, ``extra`` more if it is level then.
    """
    lead = max(-MAX_LEAD, min(MAX_LEAD, lead))
    if not minutes:
        if lead or not extra:
            return 0.5 + (lead > 0) / 2 - (lead < 0) / 2
        return chance_by_clock(0, extra, 0)
    return (
        SCORING * chance_by_clock(lead + 1, minutes - 1, extra)
        + SCORING * chance_by_clock(lead - 1, minutes - 1, extra)
        + (1 - 2 * SCORING) * chance_by_clock(lead, minutes - 1, extra)
    )


@cache
def chance_in_shoot_out(first: int, second: int, taken: int) -> float:
    """Return the chance that the side with the first penalty wins, with so many goals each (T18)."""
    pairs = max(FIVE_EACH, (taken + 1) // 2)
    first_left, second_left = pairs - (taken + 1) // 2, pairs - taken // 2
    if first > second + second_left:
        return 1.0
    if second > first + first_left:
        return 0.0
    if first_left == second_left == 0:
        return 0.5
    if taken % 2 == 0:
        scored = chance_in_shoot_out(first + 1, second, taken + 1)
    else:
        scored = chance_in_shoot_out(first, second + 1, taken + 1)
    return PENALTY * scored + (1 - PENALTY) * chance_in_shoot_out(first, second, taken + 1)
