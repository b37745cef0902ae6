"""All legal actions of a position, as text."""

from collections.abc import Iterator

from rules_engine.soccer_tactics.board import (
    BOARD,
    CIRCLE_ROWS,
    CIRCLES,
    GOAL_AREAS,
    HALVES,
    PENALTY_AREAS,
    squares_of,
    within,
)
from rules_engine.soccer_tactics.limits import territory
from rules_engine.soccer_tactics.notation import (
    DRIBBLES,
    MOVES,
    PASS,
    PLACINGS,
    PLAYS,
    ROLL,
    Action,
    Dribbled,
    Moved,
    Placed,
    Played,
    write_action,
)
from rules_engine.soccer_tactics.paths import ball_ends, pawn_ends
from rules_engine.soccer_tactics.position import CORNER_KEEPER, Phase, Position, Restart
from rules_engine.soccer_tactics.restarts import corner_kickers, keeper_squares
from rules_engine.soccer_tactics.team import Role
from rules_engine.values import Side


def legal_moves(position: Position) -> list[str]:
    """Return all legal actions, in a fixed order; empty where no side is to act.

    Pawns by shirt and squares by row; the ball's squares before dribbles, asking for the die before the keeper's
    squares, passing last.
    """
    return list(iter_legal_moves(position))


def iter_legal_moves(position: Position) -> Iterator[str]:
    """Yield all legal actions, in the same order."""
    if position.rolling:
        return
    match position.phase:
        case Phase.MOVE | Phase.FREE:
            yield from _pawn_moves_or_pass(position, position.attackers)
        case Phase.BALL:
            yield from _ball_moves(position)
        case Phase.ATTEMPT if position.number is None:
            yield ROLL
            yield from _texts(position, position.defenders, position.keepers[position.defenders])
        case Phase.ATTEMPT:
            yield from _pawn_moves_or_pass(position, position.defenders)
        case Phase.KICK_OFF:
            yield from (PLACINGS[square] for square in squares_of(placing_squares(position)))
        case Phase.GOAL_KICK:
            yield from (PLACINGS[square] for square in keeper_squares(position, position.attackers))
        case Phase.CORNER:
            yield from _corner_moves(position)


def is_legal(position: Position, action: Action) -> bool:
    """Return whether a side may do this now; of a pawn's moves, only its own are looked at."""
    side = None if position.rolling else position.acting
    if side is None:
        return False
    match action:
        case Moved(start=start, end=end):
            shirt = position.shirt_on(side, start)
            return shirt is not None and bool(pawn_targets(position, side, shirt) >> end & 1)
        case Played(target=target):
            return position.phase is Phase.BALL and bool(ball_targets(position, position.pips) >> target & 1)
        case Dribbled(target=target):
            return position.phase is Phase.BALL and bool(dribble_targets(position, position.pips) >> target & 1)
        case Placed(square=square) if position.phase is Phase.KICK_OFF:
            return bool(placing_squares(position) >> square & 1)
    return write_action(action) in legal_moves(position)


def has_pawn_moves(position: Position) -> bool:
    """Return whether the side that is to move a pawn with a die can; where it cannot, it passes."""
    side = position.acting
    if side is None:
        return False
    return any(pawn_targets(position, side, shirt) & BOARD for shirt in position.field_players(side))


def pawn_targets(position: Position, side: Side, shirt: int) -> int:
    """Return the set of the squares to which a pawn on the board can move now.

    With the die in a set, for a free ball or in an attempt; at a corner to any free square; the keeper in an attempt
    by one square.
    """
    if shirt == position.keepers[side]:
        return _keeper_targets(position, side) if position.phase is Phase.ATTEMPT and not position.pips else 0
    if position.phase is Phase.CORNER:
        return placing_targets(position, side, shirt)
    if not position.pips or position.phase is Phase.BALL:
        return 0
    start, role = position.square_of(side, shirt), position.role(side, shirt)
    opponents = position.team(side.opponent)
    ends = pawn_ends(start, position.pips, opponents, territory(side, role)) & position.places(side, shirt)
    if side is position.side:
        ball = position.ball_square
        if position.phase is Phase.MOVE and start == ball:
            return 0
        if position.phase is Phase.FREE and shirt == position.kicker:
            return ends & ~(1 << ball)
    return ends


def placing_targets(position: Position, side: Side, shirt: int) -> int:
    """Return the free squares on which a field player may be put at a corner (T16)."""
    is_kicker = side is position.side and shirt == position.kicker
    if position.count <= CORNER_KEEPER or is_kicker or shirt in position.placed[side]:
        return 0
    targets = position.free_places(side, shirt)
    return targets if side is position.side else targets & ~within(position.ball_square, 1)


def placing_squares(position: Position) -> int:
    """Return the set of the squares for the pawn that is placed next at a kick-off (T13)."""
    return placing_area(position) & position.free_places(*position.next_placed)


def placing_area(position: Position) -> int:
    """Return the set of the squares for the pawn that is placed next at a kick-off, free or not."""
    side, shirt = position.next_placed
    if side is position.side and position.ball is None:
        return CIRCLES[side]
    if position.role(side, shirt) is Role.KEEPER:
        return GOAL_AREAS[side]
    return CIRCLE_ROWS[side] if side is position.side else CIRCLE_ROWS[side] & ~within(position.ball_square, 1)


def ball_targets(position: Position, number: int) -> int:
    """Return the set of the squares to which the holder can play the ball with this number (T6, T13, T15)."""
    ends = ball_ends(position.ball_square, number)
    if position.restart is Restart.KICK_OFF:
        return ends & HALVES[position.defenders]
    if position.restart is Restart.GOAL_KICK:
        return ends & ~PENALTY_AREAS[position.attackers]
    return ends


def dribble_targets(position: Position, number: int) -> int:
    """Return the set of the squares to which the holder can dribble with this number (T7)."""
    side, holder = position.attackers, position.holder
    if number != 1 or position.restart is not None or holder is None or holder == position.keepers[side]:
        return 0
    return within(position.ball_square, 1) & position.places(side, holder) & ~(1 << position.ball_square)


def _ball_moves(position: Position) -> list[str]:
    """Return the ways to play the ball with the number that was rolled: every number has one (T6)."""
    plays = [PLAYS[square] for square in squares_of(ball_targets(position, position.pips))]
    return plays + [DRIBBLES[square] for square in squares_of(dribble_targets(position, position.pips))]


def _keeper_targets(position: Position, side: Side) -> int:
    shirt = position.keepers[side]
    start = position.square_of(side, shirt)
    return within(start, 1) & position.places(side, shirt) & ~(1 << start)


def _texts(position: Position, side: Side, shirt: int) -> list[str]:
    texts = MOVES[position.square_of(side, shirt)]
    return [texts[square] for square in squares_of(pawn_targets(position, side, shirt) & BOARD)]


def _pawn_moves(position: Position, side: Side) -> Iterator[str]:
    return (text for shirt in position.field_players(side) for text in _texts(position, side, shirt))


def _pawn_moves_or_pass(position: Position, side: Side) -> Iterator[str]:
    moves = _pawn_moves(position, side)
    yield next(moves, PASS)
    yield from moves


def _corner_moves(position: Position) -> Iterator[str]:
    if position.kicker is None:
        yield from (f"#{shirt}" for shirt in corner_kickers(position))
    elif position.count == CORNER_KEEPER:
        yield from (PLACINGS[square] for square in keeper_squares(position, position.defenders))
    else:
        yield from _pawn_moves(position, position.acting or position.attackers)
        yield PASS
