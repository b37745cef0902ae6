"""Validation of positions that are read from text.

No match can come to a position in which a fault is found. The reverse does not hold: a position without a fault may
still come from no match. T3 is not among what is looked at, because a keeper may have to break it (T15).
"""

from dataclasses import replace
from typing import Final

from rules_engine.messages import Message
from rules_engine.soccer_tactics.board import CIRCLES, CORNERS, GOAL_AREAS
from rules_engine.soccer_tactics.clock import NOBODY, is_shoot_out_decided
from rules_engine.soccer_tactics.legal_moves import placing_squares
from rules_engine.soccer_tactics.limits import territory
from rules_engine.soccer_tactics.position import (
    CORNER_KEEPER,
    CORNER_STEPS,
    CORNER_STEPS_OF_D,
    OVER_TIME,
    SECOND_HALF,
    SHOOT_OUT,
    Phase,
    Position,
    Restart,
)
from rules_engine.soccer_tactics.restarts import corner_kickers
from rules_engine.soccer_tactics.team import DEFENDERS, SENT_OFF, SHIRTS, WAITING, Role, find_kicker, set_up
from rules_engine.values import BySide, Side

_DIED: Final = (Phase.MOVE, Phase.BALL, Phase.FREE, Phase.ATTEMPT)
"""The phases in which a die is rolled and then used."""
_DRAWN: Final = (Phase.BATTLE, Phase.SHOT, Phase.PENALTY, Phase.SHOOT_OUT)
"""The phases that are nothing but a roll."""
_HELD: Final = (Phase.MOVE, Phase.BALL, Phase.BATTLE, Phase.SHOT, Phase.PENALTY)
"""The phases in which O has the ball."""


def find_fault(position: Position, start: Position) -> Message | None:
    """Return what is wrong with the position's fields taken together, ``None`` if nothing is found.

    ``start`` is the first position of a match.
    """
    if position.phase is Phase.TOSS:
        return None if replace(position, number=None) == start and position.pips <= 6 else Message("fault_toss")
    return (
        _misplaced(position)
        or _miscarded(position)
        or _mistimed(position)
        or _misrolled(position)
        or _misheld(position)
        or _miscounted(position)
        or (_misset(position) if position.phase is Phase.KICK_OFF else None)
        or _unplayable(position)
    )


def _misplaced(position: Position) -> Message | None:
    for side in Side:
        squares, keeper = position.squares[side], position.keepers[side]
        standing = [square for square in squares if square >= 0]
        if len(set(standing)) < len(standing):
            return Message("fault_shared_square")
        if (keeper != SHIRTS[0]) != (squares[0] == SENT_OFF) or squares[keeper - 1] == SENT_OFF:
            return Message("fault_keeper", side=side.value)
        if WAITING in squares and position.phase is not Phase.KICK_OFF:
            return Message("fault_waiting")
        for shirt, square in enumerate(squares, 1):
            if square >= 0 and not territory(side, position.role(side, shirt)) >> square & 1:
                return Message("fault_half", side=side.value, shirt=shirt)
        if any((area & position.team(side)).bit_count() > 1 for area in GOAL_AREAS):
            return Message("fault_goal_area", side=side.value)
    return None


def _miscarded(position: Position) -> Message | None:
    for side in Side:
        squares, cards = position.squares[side], position.cards[side]
        off = {shirt for shirt, square in enumerate(squares, 1) if square == SENT_OFF}
        warned = {shirt for shirt in cards.shirts - off if position.role(side, shirt) is Role.DEFENDER}
        if not off <= cards.shirts or (warned and not cards.defenders):
            return Message("fault_cards", side=side.value)
        if cards.defenders and cards.shirts.isdisjoint(DEFENDERS):
            return Message("fault_cards", side=side.value)
    return None


def _mistimed(position: Position) -> Message | None:
    phase, half, level = position.phase, position.half, position.score.yellow == position.score.red
    if position.opener is None or (position.side is None) != (phase is Phase.OVER):
        return Message("fault_nobody")
    if phase is Phase.OVER:
        ended = half == SHOOT_OUT and is_shoot_out_decided(position)
        if not (ended and level) and not (half in (SECOND_HALF, OVER_TIME) and not level):
            return Message("fault_ending")
    elif (half == SHOOT_OUT) != (phase is Phase.SHOOT_OUT):
        return Message("fault_period")
    if (half == SHOOT_OUT) != (position.minute == 0):
        return Message("fault_minute")
    if phase in (Phase.KICK_OFF, Phase.MOVE, Phase.GOAL_KICK) and position.minute > position.minutes:
        return Message("fault_minute")
    return _misfired(position)


def _misfired(position: Position) -> Message | None:
    """Return what is wrong with the penalties of the shoot-out."""
    taken, opener = position.taken, position.opener or Side.YELLOW
    if position.half != SHOOT_OUT:
        return Message("fault_shoot_out") if taken or any(position.penalties) else None
    most = BySide(0, 0).with_side(opener, (taken + 1) // 2).with_side(opener.opponent, taken // 2)
    if position.score.yellow != position.score.red or any(position.penalties[side] > most[side] for side in Side):
        return Message("fault_shoot_out")
    if position.phase is Phase.OVER:
        return None
    right = position.side is (opener.opponent if taken % 2 else opener) and not is_shoot_out_decided(position)
    return None if right else Message("fault_shoot_out")


def _misrolled(position: Position) -> Message | None:
    phase, rolling, number = position.phase, position.rolling, position.number
    if phase in _DIED:
        right = (number is None) if rolling else number is not None or phase is Phase.ATTEMPT
    else:
        right = number is None and rolling is (phase in _DRAWN)
    return None if right else Message("fault_dice")


def _misheld(position: Position) -> Message | None:
    phase, ball = position.phase, position.ball
    if phase is Phase.OVER:
        return None
    if phase in (Phase.GOAL_KICK, Phase.SHOOT_OUT):
        return None if ball is None else Message("fault_ball_out")
    if phase is Phase.KICK_OFF:
        return None
    if ball is None:
        return Message("fault_no_ball")
    if phase is Phase.CORNER:
        return None if CORNERS[position.defenders] >> ball & 1 else Message("fault_corner")
    own, other = position.holder is not None, position.shirt_on(position.defenders, ball) is not None
    if phase in _HELD and not own:
        return Message("fault_not_held")
    if (phase is Phase.BATTLE and not other) or (phase is Phase.ATTEMPT and other):
        return Message("fault_opponent_on_ball")
    if phase is Phase.FREE and (own or other):
        return Message("fault_ball_held")
    if phase is Phase.PENALTY and not position.attacked >> ball & 1:
        return Message("fault_penalty")
    return None


def _miscounted(position: Position) -> Message | None:
    """Return what is wrong with the restart, its kicker, the count, and who was placed at a corner."""
    phase, restart, kicker, count = position.phase, position.restart, position.kicker, position.count
    free = phase is Phase.FREE or (phase is Phase.ATTEMPT and position.holder is None)
    if phase is Phase.CORNER:
        return _miscornered(position)
    if position.placed != NOBODY:
        return Message("fault_placed")
    if phase is Phase.KICK_OFF:
        return Message("fault_count") if count else None
    if (restart is None) != (kicker is None) or (restart is not None and phase is not Phase.BALL and not free):
        return Message("fault_restart")
    if kicker is not None and position.square_of(position.attackers, kicker) < 0:
        return Message("fault_kicker")
    if count and not free and not (phase is Phase.BALL and restart is None and count == 1):
        return Message("fault_count")
    return _miskicked(position) if phase is Phase.BALL and restart is not None else None


def _miskicked(position: Position) -> Message | None:
    """Return what is wrong with a ball that is about to be played by a restart."""
    side, keeper = position.attackers, position.keepers[position.attackers]
    kickers = {position.holder}
    squares = {
        Restart.KICK_OFF: CIRCLES[side],
        Restart.CORNER: CORNERS[position.defenders],
        Restart.GOAL_KICK: GOAL_AREAS[side],
    }.get(position.restart or Restart.FREE_KICK)
    if position.restart is Restart.GOAL_KICK:
        kickers &= {keeper}
    if position.kicker not in kickers or (squares is not None and not squares >> position.ball_square & 1):
        return Message("fault_kicker")
    return None


def _miscornered(position: Position) -> Message | None:
    side, count, kicker = position.attackers, position.count, position.kicker
    if position.restart is not Restart.CORNER or count >= CORNER_STEPS or (kicker is None) != (count == 0):
        return Message("fault_corner")
    if kicker is None:
        return None if position.placed == NOBODY and corner_kickers(position) else Message("fault_corner")
    if kicker == position.keepers[side] or position.square_of(side, kicker) != position.ball:
        return Message("fault_kicker")
    placings = [step in CORNER_STEPS_OF_D for step in range(CORNER_KEEPER + 1, count)]
    for each, most in ((side.opponent, sum(placings)), (side, len(placings) - sum(placings))):
        placed = position.placed[each]
        if len(placed) > most or not placed <= set(position.field_players(each)) or (each is side and kicker in placed):
            return Message("fault_placed")
    return None


def _misset(position: Position) -> Message | None:
    """Return what is wrong with pawns that are being placed for a kick-off (T13), placed in their order."""
    side = position.attackers
    begun = replace(position, ball=None, restart=None, kicker=None)
    squares = position.squares
    for each in Side:
        keeper = position.keepers[each]
        kicker = find_kicker(squares[each], keeper) if each is side else None
        begun = replace(begun, squares=begun.squares.with_side(each, set_up(each, squares[each], keeper, kicker)))
    while begun.squares != squares and begun.is_waiting:
        each, shirt = begun.next_placed
        square = position.square_of(each, shirt)
        if square < 0 or not placing_squares(begun) >> square & 1:
            return Message("fault_set_up")
        placed = begun.with_pawn(each, shirt, square)
        if begun.ball is None:
            begun = replace(begun, ball=square, restart=Restart.KICK_OFF, kicker=shirt)
        begun = replace(begun, squares=placed)
    return None if begun == position and begun.is_waiting else Message("fault_set_up")


def _unplayable(position: Position) -> Message | None:
    """Return what is wrong with the number that was rolled."""
    number = position.number
    if number is None:
        return None
    keeper = position.phase is Phase.BALL and position.holder == position.keepers[position.attackers]
    return None if (2 <= number <= 12 if keeper else 1 <= number <= 6) else Message("fault_number")
