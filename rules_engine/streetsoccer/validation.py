"""What contradicts the rules in a position that is read from text.

Whatever is found, no match can come to. The reverse does not hold: whether some match leads to a position is not asked.
"""

from __future__ import annotations

from rules_engine.streetsoccer import set_up
from rules_engine.streetsoccer.legal import legal_moves
from rules_engine.streetsoccer.pitch import GOALS, KEEPER_SPACES, PENALTY_AREAS, PITCH
from rules_engine.streetsoccer.position import GOALIE, RESTART_NUMBERS, Phase, Position
from rules_engine.streetsoccer.presets import TEAM
from rules_engine.streetsoccer.turn import spaces_of
from rules_engine.values import BySide, Ending, Side


def find_fault(position: Position) -> str | None:
    """Return what is wrong with the position's fields taken together, ``None`` if nothing is found."""
    return _misplaced(position) or _miscounted(position) or _BY_PHASE[position.phase](position)


def _misplaced(position: Position) -> str | None:
    yellow, red = position.players
    taken = spaces_of(yellow + red)
    if taken.bit_count() < len(yellow) + len(red):
        return "two players share a space"
    if taken & _BOTH_GOALS:
        return "a player stands in a goal"
    if position.ball is not None and not PITCH >> position.ball & 1:
        return "the ball is outside the lines"
    if position.phase is not Phase.SET_UP and not len(yellow) == len(red) == TEAM:
        return "each team has five players"
    outfielders = BySide(spaces_of(yellow[GOALIE + 1 :]), spaces_of(red[GOALIE + 1 :]))
    at_goals = BySide(taken & KEEPER_SPACES.yellow, taken & KEEPER_SPACES.red)
    if at_goals.yellow & ~spaces_of(yellow[: GOALIE + 1]) or at_goals.red & ~spaces_of(red[: GOALIE + 1]):
        return "a player stands on a keeper space that is not for him"
    for area, team in zip(PENALTY_AREAS, outfielders, strict=True):
        if (area & team).bit_count() > 1:
            return "two outfielders stand in their own penalty area"
    return None


def _miscounted(position: Position) -> str | None:
    score, scorer = position.score, position.last_scorer
    if (scorer is None) != (score == BySide(0, 0)) or (scorer and not score[scorer]):
        return "score and last scorer do not agree"
    if (position.ending is None) == (position.phase is Phase.OVER):
        return "phase, clock and score do not agree"
    if position.turns > 2 * (position.preset.minutes + position.preset.extra_minutes):
        return "the clock runs past the end of extra time"
    opening = position.phase in (Phase.SET_UP, Phase.KICK_OFF)
    if opening != (position.turns == 0) or (opening and (scorer or position.ball is not None)):
        return "the first turn is the kick-off, and before it there is neither a ball in play nor a score"
    if position.first_die is not None and not opening:
        return "two dice are rolled for the kick-off only"
    if score.yellow + score.red > max(position.turns - 1, 0):
        return "there are more goals than turns after the kick-off"
    return None


def _misset(position: Position) -> str | None:
    """Return what is wrong with where the players have been placed (S4), whoever of the outfielders came first."""
    preset, standing = position.preset, position.preset.standing_spaces
    opponents = BySide(standing.red, position.players.yellow)
    for side in Side:
        placed = [player for player in position.players[side] if player not in standing[side]]
        if len(placed) + len(standing[side]) != len(position.players[side]):
            return "the players who stand from the start are missing"
        team = standing[side]
        for player in placed:
            if refusal := set_up.refusal(preset, side, team, opponents[side], player):
                return refusal.reason
            team = (*team, player)
    return None


def _set_up(position: Position) -> str | None:
    preset, standing = position.preset, position.preset.standing_spaces
    yellow, red = position.players
    if yellow[: len(standing.yellow)] != standing.yellow or red[: len(standing.red)] != standing.red:
        return "the players who stand from the start are missing"
    if preset.number_first and position.rolling:
        agreed = position.side is None and position.players == standing
        return None if agreed else "nobody places before the roll"
    if position.rolling or (position.number is not None) != preset.number_first or position.number == 6:
        return "the dice do not fit the set-up"
    placing = {
        Side.YELLOW: len(yellow) < TEAM and red == standing.red,
        Side.RED: len(yellow) == TEAM and len(red) < TEAM,
    }
    if position.side is None or not placing[position.side]:
        return "Yellow places all five, then Red"
    return _misset(position)


def _kick_off(position: Position) -> str | None:
    if misset := _misset(position):
        return misset
    if position.rolling:
        return None if position.side is None else "the kick-off's dice belong to both"
    if position.side is None or position.number is None or position.number == 6:
        return "a kick-off needs its side and a number from 1 to 5"
    if position.preset.number_first and position.side is not Side.YELLOW:
        return "Yellow kicks off"
    return None if legal_moves(position) else "a kick-off without a legal end is rolled again"


def _play(position: Position) -> str | None:
    if position.side is None:
        return "the side to act is missing"
    if position.ball is None or position.ball in position.own + position.opponents:
        return "in play the ball lies on a free space"
    return None if position.rolling or position.number else "the die is missing"


def _restart(position: Position) -> str | None:
    if position.side is None or position.last_scorer is not position.side.opponent:
        return "the side that conceded restarts"
    if position.turns > 2 * position.preset.minutes:
        return "a goal in extra time ends the match"
    preset, ball = position.preset, position.ball
    with_goalie = ball == position.own[GOALIE] and KEEPER_SPACES[position.side] >> position.own[GOALIE] & 1
    if ball is not None and (preset.die_first or not with_goalie):
        return "the ball is with the goalie on his keeper space once he is put there"
    waiting = not position.rolling and position.number is None
    if waiting != (ball is None and not preset.die_first):
        return "goalie and die do not come in the preset's order"
    if position.number is not None and position.number not in RESTART_NUMBERS:
        return "a restart needs a number of 2 or more"
    if not position.rolling and not legal_moves(position):
        return "a restart without a legal end is rolled again"
    return None


def _over(position: Position) -> str | None:
    done = position.side is None and not position.rolling and position.number is None
    free = position.ball not in position.players.yellow + position.players.red
    if not done or not free:
        return "the match is over, and nobody is to act"
    if position.ending is Ending.NORMAL_TIME:
        return None
    if (position.ball is None) != (position.ending is Ending.SUDDEN_DEATH):
        return "extra time ends with its first goal, and only a goal takes the ball out of play"
    lead = position.score.yellow - position.score.red
    if lead and lead != (1 if position.last_scorer is Side.YELLOW else -1):
        return "the goal that ends extra time is the only one that is ahead"
    return None


_BOTH_GOALS = GOALS.yellow | GOALS.red
_BY_PHASE = {
    Phase.SET_UP: _set_up,
    Phase.KICK_OFF: _kick_off,
    Phase.PLAY: _play,
    Phase.RESTART: _restart,
    Phase.OVER: _over,
}
