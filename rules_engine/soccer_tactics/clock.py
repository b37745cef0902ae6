"""Minutes, halves and the end of a match (T18), and what begins a minute: sets, and restarts as far as the kick."""

from dataclasses import replace
from typing import Final, TypeVar

from rules_engine.soccer_tactics.position import FIVE_EACH, OVER_TIME, SECOND_HALF, SHOOT_OUT, Phase, Position
from rules_engine.soccer_tactics.team import find_kicker, set_up
from rules_engine.values import BySide, Side

P = TypeVar("P", bound=Position)

NOBODY: Final[BySide[frozenset[int]]] = BySide(frozenset(), frozenset())


def is_time_up(position: Position) -> bool:
    """Return whether all minutes of the half have begun: where the next one would begin, it ends."""
    return position.minute >= position.minutes


def begin_set(position: P, side: Side) -> P:
    """Return the position in which a new set begins for a side that has the ball (T7)."""
    if is_time_up(position):
        return end_half(position)
    return await_roll(begin_minute(position), Phase.MOVE, side)


def begin_kick_off(position: P, side: Side) -> P:
    """Return the position before the pawns are placed for a kick-off by ``side`` (T13)."""
    if is_time_up(position):
        return end_half(position)
    squares = position.squares
    for each in Side:
        team, keeper = squares[each], position.keepers[each]
        kicker = find_kicker(team, keeper) if each is side else None
        squares = squares.with_side(each, set_up(each, team, keeper, kicker))
    return replace(await_choice(begin_minute(position), Phase.KICK_OFF, side), squares=squares, ball=None)


def begin_minute(position: P) -> P:
    """Return the position one minute later, with nothing left of what was counted before."""
    return replace(position, minute=position.minute + 1, count=0, restart=None, kicker=None, placed=NOBODY)


def await_roll(position: P, phase: Phase, side: Side | None) -> P:
    """Return the position in which a roll comes next."""
    return replace(position, phase=phase, side=side, rolling=True, number=None)


def await_choice(position: P, phase: Phase, side: Side | None) -> P:
    """Return the position in which somebody moves next without a roll."""
    return replace(position, phase=phase, side=side, rolling=False, number=None)


def end_half(position: P) -> P:
    """Return the position after a half or a period of over time: the next one, the shoot-out, or the end."""
    opener = position.opener
    if opener is None:
        raise AssertionError(f"no match has begun in {position}")
    half, level = position.half, position.score.yellow == position.score.red
    if half in (SECOND_HALF, OVER_TIME) and not level:
        return end_match(position)
    begun = replace(position, half=half + 1, minute=0, count=0, restart=None, kicker=None, placed=NOBODY)
    if begun.half == SHOOT_OUT:
        return replace(await_roll(begun, Phase.SHOOT_OUT, opener), ball=None)
    return begin_kick_off(begun, opener if begun.half % 2 else opener.opponent)


def take_penalty(position: P, goals: int) -> P:
    """Return the position after one penalty of the shoot-out: the other side's, or the end once it is decided."""
    side = position.attackers
    penalties = position.penalties.with_side(side, position.penalties[side] + goals)
    after = replace(position, penalties=penalties, taken=position.taken + 1)
    if is_shoot_out_decided(after):
        return end_match(after)
    return await_roll(after, Phase.SHOOT_OUT, side.opponent)


def is_shoot_out_decided(position: Position) -> bool:
    """Return whether the penalties that are still to come of five each, or of this pair, cannot change who wins."""
    taken, opener = position.taken, position.opener
    if opener is None:
        return False
    first, second = position.penalties[opener], position.penalties[opener.opponent]
    pairs = max(FIVE_EACH, (taken + 1) // 2)
    first_left, second_left = pairs - (taken + 1) // 2, pairs - taken // 2
    return first > second + second_left or second > first + first_left


def end_match(position: P) -> P:
    """Return the position when the match is over."""
    over = await_choice(position, Phase.OVER, None)
    return replace(over, count=0, restart=None, kicker=None, placed=NOBODY)
