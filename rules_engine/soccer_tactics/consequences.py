"""Consequences of moves and rolls: free balls, attempts, battles, shots, cards, sets and restarts (T7 to T14)."""

from dataclasses import replace
from typing import Final, TypeVar

from rules_engine.soccer_tactics.clock import (
    await_choice,
    await_roll,
    begin_kick_off,
    begin_minute,
    begin_set,
    end_half,
    is_time_up,
)
from rules_engine.soccer_tactics.position import Phase, Position, Restart
from rules_engine.soccer_tactics.restarts import begin_free_kick, end_corner_step, punish_offside
from rules_engine.soccer_tactics.team import SENT_OFF, Role, find_new_keeper
from rules_engine.values import Side

P = TypeVar("P", bound=Position)

ROUNDS_A_MINUTE: Final = 10
"""After so many rounds of a free ball another minute begins (T8)."""

PASSES_IN_A_ROW: Final = 2
"""After so many direct passes D has an attempt (T9)."""

KEEPER_BONUS: Final = 2


def move_pawn(position: P, start: int, end: int) -> P:
    """Return what follows when a side has moved a pawn by a die, its keeper in an attempt, or put one at a corner."""
    side = position.acting or position.attackers
    shirt = position.squares[side].index(start) + 1
    moved = replace(position, squares=position.with_pawn(side, shirt, end))
    if position.phase is Phase.CORNER:
        return end_corner_step(replace(moved, placed=position.placed.with_side(side, position.placed[side] | {shirt})))
    return _follow(moved, shirt)


def pass_by(position: P) -> P:
    """Return what follows when no pawn can move, or none is put at a corner."""
    return end_corner_step(position) if position.phase is Phase.CORNER else _follow(position, None)


def _follow(position: P, shirt: int | None) -> P:
    """Return what follows when a pawn has moved, or none could."""
    if position.phase is Phase.MOVE:
        return await_roll(position, Phase.BALL, position.side)
    return run_for_free_ball(position, shirt) if position.phase is Phase.FREE else end_attempt(position)


def play_ball(position: P, target: int) -> P:
    """Return what follows when O has played the ball to a square (T7)."""
    side = position.attackers
    receiver = position.shirt_on(side, target)
    opponent = position.shirt_on(side.opponent, target)
    played = replace(position, ball=target)
    if receiver is not None and opponent is not None:
        return begin_battle(played)
    if receiver is not None:
        return receive_pass(played, receiver)
    if opponent is not None:
        return begin_set(played, side.opponent)
    return await_roll(replace(played, count=0), Phase.FREE, side)


def receive_pass(position: P, receiver: int) -> P:
    """Return what follows a direct pass (T9): off-side, a shot, D's attempt after the second in a row, or more play."""
    if position.restart is not Restart.CORNER and position.is_offside(receiver):
        return punish_offside(position)
    passes = position.count + 1
    touched = replace(position, restart=None, kicker=None, count=0)
    if position.shooting >> position.ball_square & 1:
        return await_roll(touched, Phase.SHOT, position.side)
    if passes == PASSES_IN_A_ROW:
        return await_choice(touched, Phase.ATTEMPT, position.side)
    return await_roll(replace(touched, count=passes), Phase.BALL, position.side)


def dribble(position: P, target: int) -> P:
    """Return what follows when the holder has taken the ball to a neighbouring square (T7)."""
    side, holder = position.attackers, position.holder
    if holder is None:
        raise AssertionError(f"nobody holds the ball in {position}")
    moved = replace(position, squares=position.with_pawn(side, holder, target), ball=target, count=0)
    if moved.shirt_on(side.opponent, target) is not None:
        return begin_battle(moved)
    return await_choice(moved, Phase.ATTEMPT, side)


def run_for_free_ball(position: P, shirt: int | None) -> P:
    """Return what follows when O has moved a pawn towards a free ball, or none could move (T8)."""
    if shirt is None or position.square_of(position.attackers, shirt) != position.ball:
        return await_choice(position, Phase.ATTEMPT, position.side)
    if position.restart is not Restart.CORNER and position.is_offside(shirt):
        return punish_offside(position)
    return await_choice(replace(position, restart=None, kicker=None, count=0), Phase.ATTEMPT, position.side)


def end_attempt(position: P) -> P:
    """Return what follows when D has used its attempt: by a pawn that may have reached the ball, or in vain."""
    side = position.attackers
    reached = position.shirt_on(side.opponent, position.ball_square) is not None
    if position.holder is not None:
        if reached:
            return begin_battle(position)
        return await_roll(position, Phase.SHOT, side) if _is_in_attacked_area(position) else begin_set(position, side)
    if reached:
        return begin_set(position, side.opponent)
    rounds = position.count + 1
    if rounds < ROUNDS_A_MINUTE:
        return await_roll(replace(position, count=rounds), Phase.FREE, side)
    if is_time_up(position):
        return end_half(position)
    return await_roll(replace(position, count=0, minute=position.minute + 1), Phase.FREE, side)


def begin_battle(position: P) -> P:
    """Return the position in which O's and D's pawn on the ball's square fight for it (T11)."""
    return await_roll(replace(position, restart=None, kicker=None, count=0), Phase.BATTLE, position.side)


def fight(position: P, own: int, other: int) -> P:
    """Return what follows O's die and D's in a battle: a foul, the ball for the higher total, or the roll again."""
    side = position.attackers
    if {own, other} == {1, 6}:
        return _foul(position, side if own == 1 else side.opponent)
    lead = own + _bonus(position, side) - other - _bonus(position, side.opponent)
    if lead < 0:
        return begin_set(position, side.opponent)
    if lead == 0:
        return position
    beaten = position.shirt_on(side.opponent, position.ball_square)
    if _is_in_attacked_area(position) or beaten == position.keepers[side.opponent]:
        return await_roll(position, Phase.SHOT, side)
    return begin_set(position, side)


def score_goal(position: P) -> P:
    """Return what follows a goal of O: a kick-off of the side that conceded it (T13)."""
    side = position.attackers
    scored = replace(position, score=position.score.with_side(side, position.score[side] + 1))
    return begin_kick_off(scored, side.opponent)


def _is_in_attacked_area(position: Position) -> bool:
    return bool(position.attacked >> position.ball_square & 1)


def _bonus(position: Position, side: Side) -> int:
    """Return what the pawn of a side on the ball's square adds to its die."""
    shirt = position.shirt_on(side, position.ball_square)
    if shirt is None:
        raise AssertionError(f"no pawn of {side} is in the battle of {position}")
    role = position.role(side, shirt)
    if role is Role.KEEPER:
        return KEEPER_BONUS
    return position.preset.defender if role is Role.DEFENDER else 0


def _foul(position: P, side: Side) -> P:
    """Return what follows a foul by the pawn of ``side`` on the ball's square: a card, then a free kick or penalty."""
    shirt = position.shirt_on(side, position.ball_square)
    if shirt is None:
        raise AssertionError(f"no pawn of {side} is in the battle of {position}")
    carded = _show_card(position, side, shirt)
    if side is position.defenders and _is_in_attacked_area(position):
        return await_roll(begin_minute(carded), Phase.PENALTY, position.side)
    return begin_free_kick(carded, side.opponent)


def _show_card(position: P, side: Side, shirt: int) -> P:
    """Return the position after a yellow card, which is the second of the pawn or of all defenders or is not (T14)."""
    cards = position.cards[side]
    is_defender = position.role(side, shirt) is Role.DEFENDER
    off = cards.defenders if is_defender else shirt in cards.shirts
    shown = replace(cards, shirts=cards.shirts | {shirt}, defenders=cards.defenders or is_defender)
    carded = replace(position, cards=position.cards.with_side(side, shown))
    return _send_off(carded, side, shirt) if off else carded


def _send_off(position: P, side: Side, shirt: int) -> P:
    """Return the position without a pawn; a keeper is replaced on the same square (T14), the last pawn stays."""
    square = position.square_of(side, shirt)
    gone = replace(position, squares=position.with_pawn(side, shirt, SENT_OFF))
    if shirt != position.keepers[side]:
        return gone
    successor = find_new_keeper(gone.squares[side], shirt)
    if successor is None:
        return position
    keepers = position.keepers.with_side(side, successor)
    return replace(gone, keepers=keepers, squares=gone.with_pawn(side, successor, square))
