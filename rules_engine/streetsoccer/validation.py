"""Validation of positions that are read from text.

No match can come to a position in which a fault is found. The reverse does not hold: a position without a fault may
still come from no match.
"""

from rules_engine.messages import Message
from rules_engine.streetsoccer import set_up
from rules_engine.streetsoccer.legal_moves import legal_moves
from rules_engine.streetsoccer.pitch import GOALS, KEEPER_SPACES, PENALTY_AREAS, PITCH
from rules_engine.streetsoccer.position import GOALIE, RESTART_NUMBERS, Phase, Position
from rules_engine.streetsoccer.presets import TEAM
from rules_engine.streetsoccer.turn import spaces_of
from rules_engine.values import BySide, Ending, Side


def find_fault(position: Position) -> Message | None:
    """Return what is wrong with the position's fields taken together, ``None`` if nothing is found."""
    return _misplaced(position) or _miscounted(position) or _BY_PHASE[position.phase](position)


def _misplaced(position: Position) -> Message | None:
    yellow, red = position.players
    taken = spaces_of(yellow + red)
    if taken.bit_count() < len(yellow) + len(red):
        return Message("fault_shared_space")
    if taken & _BOTH_GOALS:
        return Message("fault_in_goal")
    if position.ball is not None and not PITCH >> position.ball & 1:
        return Message("fault_ball_outside")
    if position.phase is not Phase.SET_UP and not len(yellow) == len(red) == TEAM:
        return Message("fault_team_size")
    outfielders = BySide(spaces_of(yellow[GOALIE + 1 :]), spaces_of(red[GOALIE + 1 :]))
    at_goals = BySide(taken & KEEPER_SPACES.yellow, taken & KEEPER_SPACES.red)
    if at_goals.yellow & ~spaces_of(yellow[: GOALIE + 1]) or at_goals.red & ~spaces_of(red[: GOALIE + 1]):
        return Message("fault_keeper_space")
    for area, team in zip(PENALTY_AREAS, outfielders, strict=True):
        if (area & team).bit_count() > 1:
            return Message("fault_crowded_area")
    return None


def _miscounted(position: Position) -> Message | None:
    score, scorer = position.score, position.last_scorer
    if (scorer is None) != (score == BySide(0, 0)) or (scorer and not score[scorer]):
        return Message("fault_last_scorer")
    if (position.ending is None) == (position.phase is Phase.OVER):
        return Message("fault_phase")
    if position.turns > 2 * (position.preset.minutes + position.preset.extra_minutes):
        return Message("fault_clock")
    opening = position.phase in (Phase.SET_UP, Phase.KICK_OFF)
    if opening != (position.turns == 0) or (opening and (scorer or position.ball is not None)):
        return Message("fault_first_turn")
    if position.first_die is not None and not opening:
        return Message("fault_two_dice")
    if score.yellow + score.red > max(position.turns - 1, 0):
        return Message("fault_too_many_goals")
    return None


def _misset(position: Position) -> Message | None:
    """Return what is wrong with the places of the players (S4), in whatever order the outfielders were placed."""
    preset, standing = position.preset, position.preset.standing_spaces
    opponents = BySide(standing.red, position.players.yellow)
    for side in Side:
        placed = [player for player in position.players[side] if player not in standing[side]]
        if len(placed) + len(standing[side]) != len(position.players[side]):
            return Message("fault_standing_players")
        team = standing[side]
        for player in placed:
            if refusal := set_up.refusal(preset, side, team, opponents[side], player):
                return refusal.message
            team = (*team, player)
    return None


def _set_up(position: Position) -> Message | None:
    preset, standing = position.preset, position.preset.standing_spaces
    yellow, red = position.players
    if yellow[: len(standing.yellow)] != standing.yellow or red[: len(standing.red)] != standing.red:
        return Message("fault_standing_players")
    if preset.number_first and position.rolling:
        agreed = position.side is None and position.players == standing
        return None if agreed else Message("fault_placed_before_roll")
    if position.rolling or (position.number is not None) != preset.number_first or position.number == 6:
        return Message("fault_set_up_dice")
    placing = {
        Side.YELLOW: len(yellow) < TEAM and red == standing.red,
        Side.RED: len(yellow) == TEAM and len(red) < TEAM,
    }
    if position.side is None or not placing[position.side]:
        return Message("fault_set_up_order")
    return _misset(position)


def _kick_off(position: Position) -> Message | None:
    if misset := _misset(position):
        return misset
    if position.rolling:
        return None if position.side is None else Message("fault_kick_off_dice")
    if position.side is None or position.number is None or position.number == 6:
        return Message("fault_kick_off_number")
    if position.preset.number_first and position.side is not Side.YELLOW:
        return Message("fault_kick_off_side")
    return None if legal_moves(position) else Message("fault_kick_off_stuck")


def _play(position: Position) -> Message | None:
    if position.side is None:
        return Message("fault_no_side")
    if position.ball is None or position.ball in position.own + position.opponents:
        return Message("fault_ball_not_free")
    return None if position.rolling or position.number else Message("fault_no_die")


def _restart(position: Position) -> Message | None:
    if position.side is None or position.last_scorer is not position.side.opponent:
        return Message("fault_restart_side")
    if position.turns > 2 * position.preset.minutes:
        return Message("fault_restart_extra_time")
    preset, ball = position.preset, position.ball
    with_goalie = ball == position.own[GOALIE] and KEEPER_SPACES[position.side] >> position.own[GOALIE] & 1
    if ball is not None and (preset.die_first or not with_goalie):
        return Message("fault_restart_ball")
    waiting = not position.rolling and position.number is None
    if waiting != (ball is None and not preset.die_first):
        return Message("fault_restart_order")
    if position.number is not None and position.number not in RESTART_NUMBERS:
        return Message("fault_restart_number")
    if not position.rolling and not legal_moves(position):
        return Message("fault_restart_stuck")
    return None


def _over(position: Position) -> Message | None:
    done = position.side is None and not position.rolling and position.number is None
    free = position.ball not in position.players.yellow + position.players.red
    if not done or not free:
        return Message("fault_over_side")
    if position.ending is Ending.NORMAL_TIME:
        return None
    if (position.ball is None) != (position.ending is Ending.SUDDEN_DEATH):
        return Message("fault_over_ball")
    lead = position.score.yellow - position.score.red
    if lead and lead != (1 if position.last_scorer is Side.YELLOW else -1):
        return Message("fault_over_lead")
    return None


_BOTH_GOALS = GOALS.yellow | GOALS.red
_BY_PHASE = {
    Phase.SET_UP: _set_up,
    Phase.KICK_OFF: _kick_off,
    Phase.PLAY: _play,
    Phase.RESTART: _restart,
    Phase.OVER: _over,
}
