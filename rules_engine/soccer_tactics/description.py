"""Soccer Tactics in sentences: what is to be done, who stands where, and what a move or a roll does."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from rules_engine.messages import Message
from rules_engine.soccer_tactics.board import NAMES
from rules_engine.soccer_tactics.legal_moves import dribble_targets, has_pawn_moves
from rules_engine.soccer_tactics.notation import (
    CORNER,
    GOAL,
    Action,
    Dribbled,
    Moved,
    Named,
    Placed,
    Played,
    Rolled,
    RollRequested,
)
from rules_engine.soccer_tactics.position import CORNER_KEEPER, Phase, Position, Restart
from rules_engine.soccer_tactics.team import SENT_OFF, SHIRTS, Role, role_of
from rules_engine.values import Side

_STAGES: Final = {
    1: "stage_first_half",
    2: "stage_second_half",
    3: "stage_first_over_time",
    4: "stage_second_over_time",
}
_ROLLS: Final = {
    Phase.TOSS: "task_toss",
    Phase.BALL: "task_roll_ball",
    Phase.BATTLE: "task_battle",
    Phase.SHOT: "task_shot",
    Phase.PENALTY: "task_penalty",
    Phase.SHOOT_OUT: "task_penalty",
}
_TOUCHING: Final = (Phase.BALL, Phase.FREE)
"""The phases in which a pawn can be caught off-side."""

LABELS: Final = {
    (side, shirt, role): Message("pawn_name", side=side.value, role=role.value, shirt=shirt)
    for side in Side
    for shirt in SHIRTS
    for role in {Role.KEEPER, role_of(shirt, SHIRTS[0])}
}
"""The names of pawns, by side, shirt and role."""


def label(position: Position, side: Side, shirt: int) -> Message:
    """Return what a pawn is called, such as ``"yellow striker 10"``."""
    return LABELS[side, shirt, position.role(side, shirt)]


def stage(position: Position) -> Message:
    """Return where the match is, such as ``"second half, minute 17"``."""
    if position.phase is Phase.TOSS:
        return Message("stage_toss")
    if position.phase is Phase.OVER:
        return Message("stage_full_time")
    if position.phase is Phase.SHOOT_OUT:
        return Message("stage_shoot_out", yellow=position.penalties.yellow, red=position.penalties.red)
    return Message(_STAGES[position.half], minute=position.minute)


def task(position: Position) -> Message:
    """Return what the side to act has to do, or which roll comes, in one sentence."""
    if position.phase is Phase.OVER:
        return Message("task_match_over")
    if position.rolling:
        return Message(_ROLLS.get(position.phase, "task_roll_pawn"))
    match position.phase:
        case Phase.KICK_OFF:
            return _placing_task(position)
        case Phase.BALL:
            dribbles = dribble_targets(position, position.pips)
            return Message("task_ball_or_dribble") if dribbles else Message("task_ball", number=position.pips)
        case Phase.ATTEMPT if position.number is None:
            return Message("task_attempt", ball=NAMES[position.ball_square])
        case Phase.GOAL_KICK:
            return Message("task_goal_kick")
        case Phase.CORNER:
            return _corner_task(position)
    if not has_pawn_moves(position):
        return Message("task_no_pawn", number=position.pips)
    if position.phase is Phase.MOVE:
        return Message("task_pawn", number=position.pips)
    return Message("task_pawn_to_ball", number=position.pips, ball=NAMES[position.ball_square])


def describe_board(position: Position) -> tuple[Message, ...]:
    """Return where each side's pawns are, the ball, and the cards."""
    ball = position.ball
    return (
        *(_describe_team(position, side) for side in Side),
        Message("ball_not_on_board") if ball is None else Message("ball_on", space=NAMES[ball]),
        *(cards for side in Side for cards in _describe_cards(position, side)),
    )


def describe(before: Position, action: Action, after: Position) -> Message:
    """Return what a move or a roll does, which leads to the position ``after``."""
    sentence = _describe_roll(before, action) if isinstance(action, Rolled) else _describe_move(before, action)
    for consequence in _find_consequences(before, action, after):
        sentence = Message("with_consequence", sentence=sentence, consequence=consequence)
    return sentence


def _placing_task(position: Position) -> Message:
    side, shirt = position.next_placed
    if side is position.side and position.ball is None:
        return Message("task_place_kicker", shirt=shirt)
    if position.role(side, shirt) is Role.KEEPER:
        return Message("task_place_keeper")
    return Message("task_place_striker" if side is position.side else "task_place_opposing_striker", shirt=shirt)


def _corner_task(position: Position) -> Message:
    if position.kicker is None:
        return Message("task_corner", corner=NAMES[position.ball_square])
    return Message("task_corner_keeper" if position.count == CORNER_KEEPER else "task_corner_placing")


def _describe_team(position: Position, side: Side) -> Message:
    standing = tuple(
        _describe_pawn(position.role(side, shirt), shirt, square)
        for shirt, square in enumerate(position.squares[side], 1)
        if square in NAMES
    )
    return Message("team_pawns", side=side.value, pawns=standing or (Message("no_pawns"),))


@cache
def _describe_pawn(role: Role, shirt: int, square: int) -> Message:
    """Return where a pawn is: most of them are where they have been before the move."""
    return Message("pawn_on", role=role.value, shirt=shirt, space=NAMES[square])


def _describe_cards(position: Position, side: Side) -> list[Message]:
    squares, cards = position.squares[side], position.cards[side]
    carded = tuple(str(shirt) for shirt in sorted(cards.shirts) if squares[shirt - 1] != SENT_OFF)
    gone = tuple(str(shirt) for shirt, square in enumerate(squares, 1) if square == SENT_OFF)
    sentences = []
    if carded:
        sentences.append(Message("yellow_cards", side=side.value, shirts=carded))
    if cards.defenders:
        sentences.append(Message("defenders_warned", side=side.value))
    if gone:
        sentences.append(Message("pawns_sent_off", side=side.value, shirts=gone))
    return sentences


def _describe_roll(position: Position, roll: Rolled) -> Message:
    if position.phase is Phase.TOSS:
        side = Side.YELLOW if position.number is None else Side.RED
        return Message("rolls_for_first_kick", side=side.value, face=roll.text)
    side = position.acting or position.attackers
    match position.phase:
        case Phase.BATTLE:
            own, other = roll.text.split("-")
            pawns = [_on_ball(position, each) for each in (side, side.opponent)]
            return Message("battle_rolled", pawn=pawns[0], own=own, opponent=pawns[1], other=other)
        case Phase.SHOT:
            code = {GOAL: "shot_goal", CORNER: "shot_corner"}.get(roll.text, "shot_wide")
            return Message(code, pawn=_on_ball(position, side))
        case Phase.PENALTY | Phase.SHOOT_OUT:
            return Message("penalty_goal" if roll.text == GOAL else "penalty_missed", side=side.value)
        case Phase.BALL:
            return Message("rolls_for_ball", side=side.value, number=roll.text)
    return Message("rolls_for_pawn", side=side.value, number=roll.text)


def _describe_move(position: Position, action: Action) -> Message:
    side = position.acting or position.attackers
    match action:
        case Moved(start=start, end=end):
            pawn = label(position, side, position.squares[side].index(start) + 1)
            code = "pawn_put" if position.phase is Phase.CORNER else "pawn_moves"
            return Message(code, pawn=pawn, start=NAMES[start], end=NAMES[end])
        case Played(target=target):
            receiver = position.shirt_on(side, target)
            pawn, space = _on_ball(position, side), NAMES[target]
            if receiver is None:
                return Message("ball_played", pawn=pawn, space=space)
            return Message("ball_passed", pawn=pawn, receiver=label(position, side, receiver), space=space)
        case Dribbled(target=target):
            return Message("pawn_dribbles", pawn=_on_ball(position, side), space=NAMES[target])
        case Placed(square=square):
            shirt = position.next_placed[1] if position.phase is Phase.KICK_OFF else position.keepers[side]
            return Message("pawn_placed", pawn=label(position, side, shirt), space=NAMES[square])
        case Named(shirt=shirt):
            return Message("takes_corner", pawn=label(position, side, shirt), space=NAMES[position.ball_square])
        case RollRequested():
            return Message("asks_for_die", side=side.value)
    code = "places_nobody" if position.phase is Phase.CORNER else "moves_nobody"
    return Message(code, side=side.value)


def _find_consequences(before: Position, action: Action, after: Position) -> Iterator[Message]:
    """Yield what else has happened: a card, off-side, a battle, who has the ball now, the end of a half."""
    if before.phase is Phase.BATTLE:
        yield from _describe_card(before, after)
        if after.phase is Phase.BATTLE:
            yield Message("battle_level")
    if after.phase is Phase.OVER:
        yield Message("match_ends")
    elif after.half != before.half:
        yield Message("half_ends")
    elif before.phase in _TOUCHING and not isinstance(action, Rolled) and after.restart is Restart.FREE_KICK:
        yield Message("offside", side=after.attackers.value)
    elif after.phase is Phase.BATTLE and not isinstance(action, Rolled):
        pawns = tuple(_on_ball(after, side) for side in (after.attackers, after.defenders))
        yield Message("battle_begins", pawns=pawns)
    elif after.phase is Phase.MOVE and before.phase is not Phase.MOVE:
        yield Message("takes_ball" if after.side is not before.side else "keeps_ball", side=after.attackers.value)


def _describe_card(before: Position, after: Position) -> Iterator[Message]:
    for side in Side:
        shirt = before.shirt_on(side, before.ball_square)
        if shirt is None:
            continue
        pawn = label(before, side, shirt)
        if after.square_of(side, shirt) == SENT_OFF:
            yield Message("is_sent_off", pawn=pawn)
        elif after.cards[side] != before.cards[side]:
            yield Message("is_shown_yellow", pawn=pawn)


def _on_ball(position: Position, side: Side) -> Message:
    """Return what the pawn of a side on the ball's square is called."""
    return label(position, side, position.squares[side].index(position.ball_square) + 1)
