"""The reasons why an action is refused, by the rule that it breaks."""

from typing import Final

from rules_engine.errors import IllegalMove
from rules_engine.soccer_tactics.board import GOAL_AREAS, HALVES, NAMES, PENALTY_AREAS, distance, within
from rules_engine.soccer_tactics.legal_moves import legal_moves, placing_area
from rules_engine.soccer_tactics.limits import MAX_IN_COLUMN, MAX_IN_PENALTY_AREA, MAX_IN_ROW, territory
from rules_engine.soccer_tactics.notation import Action, Dribbled, Moved, Named, Passed, Placed, Played, Rolled
from rules_engine.soccer_tactics.paths import ball_ends, pawn_ends
from rules_engine.soccer_tactics.position import CORNER_KEEPER, Phase, Position, Restart
from rules_engine.soccer_tactics.team import Role
from rules_engine.values import Side

_RULES: Final = {
    Phase.TOSS: "T13",
    Phase.KICK_OFF: "T13",
    Phase.MOVE: "T7",
    Phase.BALL: "T7",
    Phase.FREE: "T8",
    Phase.ATTEMPT: "T8",
    Phase.BATTLE: "T11",
    Phase.SHOT: "T12",
    Phase.PENALTY: "T14",
    Phase.GOAL_KICK: "T15",
    Phase.CORNER: "T16",
    Phase.SHOOT_OUT: "T18",
    Phase.OVER: "T18",
}
"""The rule that says what may be done in a phase."""


def refuse(position: Position, action: Action) -> IllegalMove:
    """Return why this action, which is not legal here, is refused."""
    rule = _RULES[position.phase]
    if position.phase is Phase.OVER:
        return IllegalMove(rule, "match_over")
    if isinstance(action, Rolled):
        return IllegalMove(rule, "other_roll" if position.rolling else "no_roll_now", text=action.text)
    if position.rolling:
        return IllegalMove(rule, "roll_first")
    side = position.acting or position.attackers
    match position.phase:
        case Phase.KICK_OFF if isinstance(action, Placed):
            return _refuse_placing(position, side, action.square)
        case Phase.GOAL_KICK if isinstance(action, Placed):
            return _refuse_keeper_square(position, side, action.square, rule)
        case Phase.MOVE | Phase.FREE | Phase.ATTEMPT if isinstance(action, Moved):
            return _refuse_move(position, side, action)
        case Phase.MOVE | Phase.FREE | Phase.ATTEMPT if isinstance(action, Passed):
            return IllegalMove("T4", "pass_not_allowed_now")
        case Phase.BALL if isinstance(action, Played):
            return _refuse_ball(position, action.target)
        case Phase.BALL if isinstance(action, Dribbled):
            return _refuse_dribble(position, side, action.target)
        case Phase.CORNER:
            return _refuse_at_corner(position, side, action)
    return IllegalMove(rule, "other_action", forms=_forms(position))


def _forms(position: Position) -> tuple[str, ...]:
    """Return examples of what can be played here: the first legal move of each form."""
    examples: dict[str, str] = {}
    for move in legal_moves(position):
        examples.setdefault(move if move.isalpha() else move[0] if move[0] in "@>=#" else "-", move)
    return tuple(examples.values())


def _refuse_move(position: Position, side: Side, move: Moved) -> IllegalMove:
    start, end = move.start, move.end
    if position.number is None:
        return _refuse_keeper_move(position, side, start, end)
    shirt = position.shirt_on(side, start)
    if shirt is None:
        return _refuse_start(position, side, start)
    role, square = position.role(side, shirt), NAMES[end]
    if role is Role.KEEPER:
        return IllegalMove("T5", "keeper_without_die")
    if side is position.side and position.phase is Phase.MOVE and start == position.ball:
        return IllegalMove("T7", "holder_stays", space=NAMES[start])
    opponents = position.team(side.opponent)
    if not pawn_ends(start, position.pips, opponents, territory(side, role)) >> end & 1:
        if role is Role.DEFENDER and not HALVES[side] >> end & 1:
            return IllegalMove("T5", "defender_leaves_half", space=square)
        return IllegalMove("T4", "pawn_unreachable", start=NAMES[start], number=position.pips, space=square)
    if side is position.side and end == position.ball and shirt == position.kicker:
        return IllegalMove("T13", "double_touch")
    return _refuse_standing(position, side, shirt, end)


def _refuse_start(position: Position, side: Side, start: int) -> IllegalMove:
    code = "no_pawn_on" if position.shirt_on(side.opponent, start) is None else "not_your_pawn"
    return IllegalMove("T4", code, space=NAMES[start])


def _refuse_standing(position: Position, side: Side, shirt: int, square: int) -> IllegalMove:
    """Return why a pawn may not stand on a square as far as its own team goes (T3, T5)."""
    name, role = NAMES[square], position.role(side, shirt)
    if not territory(side, role) >> square & 1:
        code = "keeper_leaves_half" if role is Role.KEEPER else "defender_leaves_half"
        return IllegalMove("T5", code, space=name)
    start = position.square_of(side, shirt)
    others = position.team(side) & ~(1 << start) if start >= 0 else position.team(side)
    if others >> square & 1:
        return IllegalMove("T3", "own_pawn_on", space=name)
    if any(area >> square & 1 and area & others for area in GOAL_AREAS):
        return IllegalMove("T3", "goal_area_taken", space=name)
    keeper = position.square_of(side, position.keepers[side])
    field_players = others & ~(1 << keeper) if keeper >= 0 else others
    for area in PENALTY_AREAS:
        if role is not Role.KEEPER and area >> square & 1 and (area & field_players).bit_count() >= MAX_IN_PENALTY_AREA:
            return IllegalMove("T3", "penalty_area_full", space=name, number=MAX_IN_PENALTY_AREA)
    return IllegalMove("T3", "line_too_long", space=name, row=MAX_IN_ROW, column=MAX_IN_COLUMN)


def _refuse_keeper_move(position: Position, side: Side, start: int, end: int) -> IllegalMove:
    shirt = position.shirt_on(side, start)
    if shirt is None:
        return _refuse_start(position, side, start)
    if shirt != position.keepers[side]:
        return IllegalMove("T5", "only_keeper_without_die")
    if distance(start, end) != 1:
        return IllegalMove("T5", "keeper_one_square", space=NAMES[end])
    return _refuse_standing(position, side, shirt, end)


def _refuse_ball(position: Position, target: int) -> IllegalMove:
    ball, space = NAMES[position.ball_square], NAMES[target]
    if not ball_ends(position.ball_square, position.pips) >> target & 1:
        return IllegalMove("T6", "ball_unreachable_exactly", ball=ball, number=position.pips, space=space)
    if position.restart is Restart.KICK_OFF:
        return IllegalMove("T13", "kick_off_stays_back", space=space)
    return IllegalMove("T15", "goal_kick_stays_in", space=space)


def _refuse_dribble(position: Position, side: Side, target: int) -> IllegalMove:
    holder = position.holder
    if holder is None or holder == position.keepers[side]:
        return IllegalMove("T7", "keeper_dribbles")
    if position.restart is not None:
        return IllegalMove("T7", "dribble_at_restart")
    if position.pips != 1:
        return IllegalMove("T7", "dribble_needs_one", number=position.pips)
    if distance(position.ball_square, target) != 1:
        return IllegalMove("T7", "dribble_one_square", space=NAMES[target])
    return _refuse_standing(position, side, holder, target)


def _refuse_placing(position: Position, side: Side, square: int) -> IllegalMove:
    shirt, name = position.next_placed[1], NAMES[square]
    if placing_area(position) >> square & 1:
        return _refuse_standing(position, side, shirt, square)
    if side is position.side and position.ball is None:
        return IllegalMove("T13", "place_in_circle", space=name)
    if position.role(side, shirt) is Role.KEEPER:
        return IllegalMove("T13", "place_in_goal_area", space=name)
    if position.ball is not None and side is not position.side and within(position.ball, 1) >> square & 1:
        return IllegalMove("T13", "place_near_ball", space=name)
    return IllegalMove("T13", "place_in_row", space=name)


def _refuse_keeper_square(position: Position, side: Side, square: int, rule: str) -> IllegalMove:
    if GOAL_AREAS[side] >> square & 1:
        return _refuse_standing(position, side, position.keepers[side], square)
    return IllegalMove(rule, "place_in_goal_area", space=NAMES[square])


def _refuse_at_corner(position: Position, side: Side, action: Action) -> IllegalMove:
    match action:
        case Named(shirt=shirt) if position.kicker is None:
            return _refuse_corner_kicker(position, side, shirt)
        case Placed(square=square) if position.count == CORNER_KEEPER:
            return _refuse_keeper_square(position, side, square, "T16")
        case Moved(start=start, end=end) if position.count > CORNER_KEEPER:
            return _refuse_corner_placing(position, side, start, end)
    return IllegalMove("T16", "other_action", forms=_forms(position))


def _refuse_corner_kicker(position: Position, side: Side, shirt: int) -> IllegalMove:
    if position.square_of(side, shirt) < 0:
        return IllegalMove("T14", "pawn_is_off", shirt=shirt)
    if shirt == position.keepers[side]:
        return IllegalMove("T16", "keeper_takes_no_corner")
    return _refuse_standing(position, side, shirt, position.ball_square)


def _refuse_corner_placing(position: Position, side: Side, start: int, end: int) -> IllegalMove:
    shirt = position.shirt_on(side, start)
    if shirt is None:
        return _refuse_start(position, side, start)
    if shirt == position.keepers[side]:
        return IllegalMove("T16", "keeper_not_placed")
    if side is position.side and shirt == position.kicker:
        return IllegalMove("T16", "kicker_not_placed")
    if shirt in position.placed[side]:
        return IllegalMove("T16", "placed_already", space=NAMES[start])
    if (position.team(Side.YELLOW) | position.team(Side.RED)) >> end & 1:
        return IllegalMove("T16", "square_not_free", space=NAMES[end])
    if side is not position.side and within(position.ball_square, 1) >> end & 1:
        return IllegalMove("T16", "near_corner", space=NAMES[end])
    return _refuse_standing(position, side, shirt, end)
