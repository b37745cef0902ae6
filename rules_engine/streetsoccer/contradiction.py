"""What no match can come to: the check behind reading a position from text."""

from __future__ import annotations

from rules_engine.streetsoccer.legal import legal_moves
from rules_engine.streetsoccer.pitch import GOALS, KEEPER_SPACES, PITCH
from rules_engine.streetsoccer.position import GOALIE, RESTART_NUMBERS, Phase, Position
from rules_engine.streetsoccer.presets import TEAM
from rules_engine.streetsoccer.set_up import placements
from rules_engine.values import BySide, Side


def find_contradiction(position: Position) -> str | None:
    """Return what is wrong with the position's fields taken together, ``None`` if they agree."""
    return _misplaced(position) or _miscounted(position) or _BY_PHASE[position.phase](position)


def _misplaced(position: Position) -> str | None:
    taken = position.players.yellow + position.players.red
    if len(set(taken)) < len(taken):
        return "two players share a space"
    if any((GOALS.yellow | GOALS.red) >> player & 1 for player in taken):
        return "a player stands in a goal"
    if position.ball is not None and not PITCH >> position.ball & 1:
        return "the ball is outside the lines"
    if position.phase is not Phase.SET_UP and any(len(team) != TEAM for team in position.players):
        return "each team has five players"
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
    if next(placements(preset, position.side, position.own, position.opponents), None) is None:
        return "the set-up cannot be completed"
    return None


def _kick_off(position: Position) -> str | None:
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
    return None if done and free else "the match is over, and nobody is to act"


_BY_PHASE = {
    Phase.SET_UP: _set_up,
    Phase.KICK_OFF: _kick_off,
    Phase.PLAY: _play,
    Phase.RESTART: _restart,
    Phase.OVER: _over,
}
