"""Yellow's chance of winning a Soccer Tactics match: by score and clock, and by the goals that O is about to score.

A position is worth so many goals to O: what the next roll of the ball brings is counted, face by face, from who can
reach which square with which face; what comes after it is estimated from where the ball and the pawns are.
"""

from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

from rules_engine.soccer_tactics.board import (
    BOARD,
    HALVES,
    LONG_SHOTS,
    NAMES,
    PENALTY_AREAS,
    ROWS,
    rows_from_goal_line,
    squares_of,
)
from rules_engine.soccer_tactics.consequences import KEEPER_BONUS
from rules_engine.soccer_tactics.position import SECOND_HALF, Phase, Position, Restart
from rules_engine.soccer_tactics.strategy.chances import battle, chance_by_clock, chance_in_shoot_out
from rules_engine.soccer_tactics.strategy.reach import (
    DIE,
    FACES,
    FIRST_SQUARES,
    OFFSIDE,
    SHOOTING,
    SIZE,
    Team,
    ball_faces,
    ball_sums,
    faces_between,
    team_of,
)
from rules_engine.soccer_tactics.team import Role
from rules_engine.values import BySide, Side

SHOT: Final = 0.53
PENALTY_KICK: Final = 0.49
"""The worth of a shot and of a penalty in goals, with the restarts that follow."""

CORNER: Final = 0.25
GOAL_KICK: Final = 0.02
KICK_OFF: Final = 0.02
"""The worth of the other restarts to O, the place of the ball aside."""

_FIXED: Final = {
    Phase.SHOT: SHOT,
    Phase.PENALTY: PENALTY_KICK,
    Phase.KICK_OFF: KICK_OFF,
    Phase.GOAL_KICK: GOAL_KICK,
}

POSSESSION: Final = 0.02
ADVANCE: Final = 0.1
"""The worth of a new set with the ball at the own goal line, and how much more it is at the opponents'."""

NEXT: Final = 0.5
"""The share that counts of the shots that the next ball would bring if no pawn moved."""

TEMPO: Final = 0.02
"""The gain of O by moving a pawn before the ball."""

FORWARD: Final = 0.03
MAX_FORWARD: Final = 3
"""The worth of each pawn that could be played on for a shot, on-side, and how many of them count."""

LONG_SHOT_ROWS: Final = rows_from_goal_line(squares_of(LONG_SHOTS.yellow)[0], Side.YELLOW)
LINE: Final = 0.02
"""The cost of each field player that stands where it keeps the opponents on-side on their long-shot squares."""

NEXT_ROUND_WEIGHT: Final = 0.9
"""The weight of another round of a free ball, where this one has 1."""

UNREACHED: Final = -9.0
"""Less than anything is worth."""

SHOOTING_PLACE: Final = 2.5
"""The worth of a place from which a pawn shoots when it is passed to, in whole lengths of the board."""


def _by_advance(side: Side) -> tuple[float, ...]:
    """Return what a new set of this side is worth by the square of the ball."""
    far = [rows_from_goal_line(square, side) / (ROWS - 1) if square in NAMES else 0.0 for square in range(SIZE)]
    return tuple(POSSESSION + ADVANCE * rows**2 for rows in far)


_HOLDING: Final = BySide(*(_by_advance(side) for side in Side))

DEEP: Final = BySide(*(OFFSIDE[side][LONG_SHOT_ROWS + 1] for side in Side))
"""The squares from which a side's field player keeps opponents on-side who stand on their long-shot squares."""


class Scene(NamedTuple):
    """A position as the evaluation needs it: O with its team, D's team, and where O can shoot.

    ``receivers`` are O's field players who shoot when they receive a pass, ``threats`` D's who would if it had
    the ball, ``offside`` the squares where O is off-side. ``defender`` is what a defender adds in a battle. ``goes_on``
    is false when no set will be begun in this half. ``line`` is how many more field players of D than of O stand deep.
    """

    side: Side
    own: Team
    other: Team
    receivers: int
    threats: int
    offside: int
    defender: int
    goes_on: bool
    line: int


class Sight(IntEnum):
    """The parts of a position that are looked at."""

    BALL = 0
    """The place of the ball and the chances to reach it."""
    SHOTS = 1
    """Also who could be played on for a shot."""
    ROLLS = 2
    """Also the best way to play the ball with each number that can be rolled next."""


def evaluate(position: Position, sight: Sight = Sight.ROLLS) -> float:
    """Return Yellow's chance of winning the match, from 0 to 1; a draw counts a half."""
    side = position.side
    if side is None:
        lead = position.score.yellow - position.score.red or position.penalties.yellow - position.penalties.red
        return 0.5 if position.phase is Phase.TOSS else float(lead > 0)
    if position.phase is Phase.SHOOT_OUT:
        return _in_shoot_out(position)
    goals = _goals(position, scene_of(position, sight), deep=sight is Sight.ROLLS)
    goals = max(-1.0, min(1.0, goals))
    lead = position.score[side] - position.score[side.opponent]
    minutes, extra = _minutes_left(position)
    level = chance_by_clock(lead, minutes, extra)
    if goals >= 0:
        chance = level + goals * (chance_by_clock(lead + 1, minutes, extra) - level)
    else:
        chance = level - goals * (chance_by_clock(lead - 1, minutes, extra) - level)
    return chance if side is Side.YELLOW else 1 - chance


def _in_shoot_out(position: Position) -> float:
    opener = position.opener or Side.YELLOW
    chance = chance_in_shoot_out(position.penalties[opener], position.penalties[opener.opponent], position.taken)
    return chance if opener is Side.YELLOW else 1 - chance


def _minutes_left(position: Position) -> tuple[int, int]:
    """Return how many minutes are to begin in regular time, or in over time, and how many in over time after that."""
    left, half, preset = max(0, position.minutes - position.minute), position.half, position.preset
    if half <= SECOND_HALF:
        return left + (SECOND_HALF - half) * preset.minutes, 2 * preset.extra_minutes
    return left + (half % 2) * preset.extra_minutes, 0


def scene_of(position: Position, sight: Sight) -> Scene:
    """Return what the evaluation has to know; raises ``AssertionError`` where nobody has the ball."""
    side = position.attackers
    opponent = side.opponent
    own = team_of(side, position.squares[side], position.keepers[side])
    other = team_of(opponent, position.squares[opponent], position.keepers[opponent])
    offside = 0 if position.restart is Restart.CORNER else OFFSIDE[opponent][other.last]
    against = OFFSIDE[side][own.last]
    shots = sight is not Sight.BALL
    return Scene(
        side=side,
        own=own,
        other=other,
        receivers=own.field & SHOOTING[opponent] & ~offside & ~(other.field | other.keeper) if shots else 0,
        threats=other.field & SHOOTING[side] & ~against if shots else 0,
        offside=offside,
        defender=position.preset.defender,
        goes_on=position.minute < position.minutes,
        line=(other.field & DEEP[opponent]).bit_count() - (own.field & DEEP[side]).bit_count()
        if sight is Sight.ROLLS
        else 0,
    )


def _goals(position: Position, scene: Scene, *, deep: bool) -> float:
    """Return what the position is worth to O, in goals."""
    return _shape(scene) + _coming(position, scene, deep=deep)


def _coming(position: Position, scene: Scene, *, deep: bool) -> float:
    """Return what the next roll or restart is worth to O, in goals."""
    ball, phase = position.ball, position.phase
    if ball is None or phase in _FIXED:
        return _FIXED.get(phase, 0.0)
    match phase:
        case Phase.CORNER:
            return CORNER + _shots(scene, ball) * DIE * SHOT
        case Phase.BATTLE:
            return _fighting(position, scene, ball)
        case Phase.FREE:
            return _running(scene, ball)
        case Phase.ATTEMPT:
            return _attempted(position, scene, ball)
        case Phase.BALL if position.number is not None:
            return _rolled(position, scene, ball)
    if deep:
        tempo = TEMPO if phase is Phase.MOVE else 0.0
        return tempo + _playing(scene, ball, passes=position.count, restart=position.restart is not None)
    return _keeping(scene, ball) if phase is Phase.MOVE else _passed(scene, ball)


def _shape(scene: Scene) -> float:
    """Return what the places of the pawns are worth to O beyond the next ball."""
    if not scene.goes_on:
        return 0.0
    mine = scene.receivers.bit_count()
    theirs = scene.threats.bit_count()
    return FORWARD * (min(mine, MAX_FORWARD) - min(theirs, MAX_FORWARD)) + LINE * scene.line


def _shots(scene: Scene, square: int) -> int:
    """Return with how many faces of the die a ball from the square is followed by a shot."""
    if not (receivers := scene.receivers & ~(1 << square)):
        return 0
    return sum([bool(ends & receivers) for ends in ball_faces(square)])


def _keeping(scene: Scene, square: int) -> float:
    """Return what a new set with the ball on the square is worth to O, roughly."""
    if not scene.goes_on:
        return 0.0
    return _HOLDING[scene.side][square] + NEXT * SHOT * DIE * _shots(scene, square)


def _losing(scene: Scene, square: int) -> float:
    """Return what a new set of D with the ball on the square is worth to O, roughly."""
    if not scene.goes_on:
        return 0.0
    worth = _HOLDING[scene.side.opponent][square]
    if threats := scene.threats & ~(1 << square):
        worth += NEXT * SHOT * DIE * sum([bool(ends & threats) for ends in ball_faces(square)])
    return -worth


def _passed(scene: Scene, square: int) -> float:
    """Return what it is worth to play the ball on from the square at once, roughly."""
    shots = DIE * _shots(scene, square)
    return shots * SHOT + (1 - shots) * (_HOLDING[scene.side][square] if scene.goes_on else 0.0)


def _fight(scene: Scene, square: int, bonus: int, *, keeper: bool) -> float:
    """Return what a battle is worth in which O adds so much more to its die, D's ``keeper`` being in it or not."""
    odds = battle(bonus)
    area = PENALTY_AREAS[scene.side.opponent] >> square & 1
    kept, lost = _keeping(scene, square), _losing(scene, square)
    return (
        odds.won * (SHOT if area or keeper else kept)
        + odds.lost * lost
        + odds.own_foul * lost
        + odds.other_foul * (PENALTY_KICK if area else kept)
    )


def _fighting(position: Position, scene: Scene, square: int) -> float:
    """Return what the battle on the square is worth."""
    roles = {side: position.role(side, position.shirt_on(side, square) or position.keepers[side]) for side in Side}
    bonus = {Role.KEEPER: KEEPER_BONUS, Role.DEFENDER: scene.defender}
    own, other = roles[scene.side], roles[scene.side.opponent]
    return _fight(scene, square, bonus.get(own, 0) - bonus.get(other, 0), keeper=other is Role.KEEPER)


def _challenged(scene: Scene, square: int, *, keeper: bool) -> float:
    """Return what a battle on the square is worth against D's ``keeper``, or another player of D there."""
    bonus = KEEPER_BONUS if keeper else scene.defender if HALVES[scene.side.opponent] >> square & 1 else 0
    return _fight(scene, square, -bonus, keeper=keeper)


def _chance_to_reach(team: Team, square: int, *, keeper: bool) -> float:
    """Return how likely a team reaches the square with its next die, its keeper without one if it may."""
    if keeper and team.keeper_reach >> square & 1:
        return 1.0
    return DIE * (team.reach >> square & FIRST_SQUARES).bit_count()


def _keeper_reaches(scene: Scene, square: int) -> bool:
    return bool(scene.other.keeper_reach >> square & 1)


def _held(scene: Scene, square: int, *, shot: bool) -> float:
    """Return what it is worth to have the ball on the square before an attempt of D."""
    reached = _chance_to_reach(scene.other, square, keeper=True)
    kept = SHOT if shot and PENALTY_AREAS[scene.side.opponent] >> square & 1 else _keeping(scene, square)
    if not reached:
        return kept
    return reached * _challenged(scene, square, keeper=_keeper_reaches(scene, square)) + (1 - reached) * kept


def _running(scene: Scene, square: int) -> float:
    """Return what a free ball is worth to O, which is to roll first (T8)."""
    mine = 0.0 if scene.offside >> square & 1 else _chance_to_reach(scene.own, square, keeper=False)
    theirs = _chance_to_reach(scene.other, square, keeper=True)
    again = NEXT_ROUND_WEIGHT * (1 - mine) * (1 - theirs)
    worth = (1 - mine) * theirs * _losing(scene, square)
    if mine:
        worth += mine * _held(scene, square, shot=True)
    return worth / (1 - again)


def _rolled(position: Position, scene: Scene, ball: int) -> float:
    """Return what the ball is worth with the number that was rolled."""
    passes, restart = position.count, position.restart is not None
    if position.holder == position.keepers[scene.side]:
        ends = next((ends for _, ends in ball_sums(ball)[position.pips - 2 :]), 0)
    else:
        ends = ball_faces(ball)[position.pips - 1]
    return _best_play(scene, ball, ends, passes=passes, dribbles=position.pips == 1 and not restart)


def _playing(scene: Scene, ball: int, *, passes: int, restart: bool) -> float:
    """Return what the ball is worth to O that is to roll for it: the mean over all rolls of the best way to play it."""
    if scene.own.keeper >> ball & 1:
        return sum(
            [chance * _best_play(scene, ball, ends, passes=passes, dribbles=False) for chance, ends in ball_sums(ball)]
        )
    total = 0.0
    for face, ends in zip(FACES, ball_faces(ball), strict=True):
        total += _best_play(scene, ball, ends, passes=passes, dribbles=face == 1 and not restart)
    return total / 6


def _best_play(scene: Scene, ball: int, ends: int, *, passes: int, dribbles: bool) -> float:
    """Return what the best of these squares is worth for the ball to end on."""
    if ends & scene.receivers & ~(1 << ball):
        return SHOT
    best = UNREACHED
    own, other = scene.own.field | scene.own.keeper, scene.other.field | scene.other.keeper
    ends &= BOARD
    for square in squares_of(ends & own & ~other):
        best = max(best, _received(scene, square, passes))
    for square in squares_of(ends & ~own & ~other):
        best = max(best, _running(scene, square))
    for square in squares_of(ends & own & other):
        best = max(best, _challenged(scene, square, keeper=bool(scene.other.keeper >> square & 1)))
    if best == UNREACHED:
        for square in squares_of(ends & other & ~own):
            best = max(best, _losing(scene, square))
    if dribbles:
        for square in squares_of(ball_faces(ball)[0] & ~own & ~other):
            best = max(best, _held(scene, square, shot=True))
    return best


def _received(scene: Scene, square: int, passes: int) -> float:
    """Return what a direct pass to the square is worth."""
    if scene.offside >> square & 1 and not scene.own.keeper >> square & 1:
        return _losing(scene, square)
    return _passed(scene, square) if not passes else _held(scene, square, shot=False)


def _attempted(position: Position, scene: Scene, ball: int) -> float:
    """Return what the position is worth in D's attempt."""
    held = position.holder is not None
    if position.number is None:
        reached = _chance_to_reach(scene.other, ball, keeper=not position.rolling)
    else:
        reached = float(scene.other.reach >> SIZE * (position.number - 1) >> ball & 1)
    if held:
        kept = SHOT if position.attacked >> ball & 1 else _keeping(scene, ball)
        return reached * _challenged(scene, ball, keeper=_keeper_reaches(scene, ball)) + (1 - reached) * kept
    return reached * _losing(scene, ball) + (1 - reached) * NEXT_ROUND_WEIGHT * _running(scene, ball)


@cache
def promise(side: Side, ball: int, square: int, sight: Sight) -> float:
    """Return how much it promises that a pawn of this side stands on the square while the ball lies on ``ball``.

    By the sight of the ball alone it is how far forward that is; else where it shoots counts more, and with how many
    faces of the die it can be passed to.
    """
    forward = rows_from_goal_line(square, side) / ROWS
    if sight is Sight.BALL:
        return forward
    shooting = SHOOTING_PLACE if SHOOTING[side.opponent] >> square & 1 else 0
    return (forward + shooting) * (1 + faces_between(ball, square))
