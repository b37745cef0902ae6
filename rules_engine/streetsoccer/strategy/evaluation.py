"""Yellow's chance of winning a StreetSoccer match: by score and clock, and by who is about to score.

The outcomes of the next turn are counted exactly, face by face. Those of later turns are estimated in goals, from how
both sides stand.
"""

from functools import cache
from typing import Final, NamedTuple

from rules_engine.streetsoccer.position import Phase, Position
from rules_engine.streetsoccer.presets import Preset
from rules_engine.streetsoccer.strategy.chances import FACES, TOO_FAR, least_face, steps_to_ball
from rules_engine.streetsoccer.strategy.perspective import WORTH, turned
from rules_engine.streetsoccer.strategy.shape import posts, shape
from rules_engine.streetsoccer.turn import spaces_of
from rules_engine.values import Side

SCORING: Final = 0.09
"""The chance that a turn scores: 120 matches of the computer against itself had 4.5 goals in 50 turns."""

OWN: Final = 1
OTHER: Final = -1
NOBODY: Final = 0
"""The scorer of the last goal, as the side to act sees it."""

MAX_LEAD: Final = 8
"""A lead of more goals is as good as this one."""


@cache
def chance_at(preset: Preset, turns: int, lead: int, last: int) -> float:
    """Return the chance of winning of the side to act, a draw counting a half, when ``turns`` have been taken.

    ``lead`` is its goals less the opponent's, ``last`` who scored the last goal.
    """
    lead = max(-MAX_LEAD, min(MAX_LEAD, lead))
    if turns >= 2 * preset.minutes and lead:
        return float(lead > 0)
    if turns >= 2 * (preset.minutes + preset.extra_minutes):
        return (1 + last) / 2
    scored = 1 - chance_at(preset, turns + 1, -(lead + 1), OTHER)
    missed = 1 - chance_at(preset, turns + 1, -lead, -last)
    return SCORING * scored + (1 - SCORING) * missed


TO_ACT: Final = 0.06
KICK: Final = 0.08
SUPPORT: Final = 0.13
BALL: Final = 0.4
THREAT: Final = -0.07
THREAT_UNTOUCHED: Final = -0.66
LATER_GOALIE_AWAY: Final = -0.05
LATER_DEFENDER: Final = 0.04
LATER_ATTACKER: Final = 0.03
"""The worth in goals, from the turn after the next on: of being the side that is to roll; of reaching the ball with
any face, with one player and with a second; of a goal's worth of the ball's place; of the opponent's faces that
score, in any case and while the ball is left alone; of each step of a goalie from the own keeper spaces; of each
defender and each attacker. All but the last three are rounded from a regression of the goals of the next twelve
turns, each turn counting a tenth less, over 120 matches (4,200 turns without a goal) of the computer against itself,
one move in twelve random. The players' places hardly differ there, so that their weights were set between the fitted
ones and what won matches."""

RESTART: Final = 0.05
"""The worth of a restart to the side that takes it."""

FADING: Final = 0.75
"""With ``n`` turns left, the goals of later turns count ``1 - FADING ** n`` of what they count early in the match."""

MAX_GOALS: Final = 0.9
"""The most that is expected of later turns, in goals: nothing that is to come is certain."""

MAX_GOALIE_AWAY: Final = 5


class Reach(NamedTuple):
    """The reach of a side: the faces that score next turn, and that kick with one player, and with two."""

    scores: float
    kicks: float
    supported: float


def evaluate(position: Position) -> float:
    """Return Yellow's chance of winning the match, from 0 to 1; a draw counts a half.

    A die that has been rolled already is ignored.
    """
    side = _next_side(position)
    if side is None:
        return _winner_takes_all(position) if position.phase is Phase.OVER else 0.5
    if position.phase is Phase.PLAY and position.ball is not None:
        chance = _in_play(position, side, position.ball)
    else:
        chance = _without_its_turn(position, side, RESTART if position.phase is Phase.RESTART else 0)
    return chance if side is Side.YELLOW else 1 - chance


def evaluate_roughly(position: Position) -> float:
    """Return Yellow's chance of winning by the score, the clock and the shape of the position, from 0 to 1."""
    side = _next_side(position)
    if side is None or position.phase is not Phase.PLAY:
        return evaluate(position)
    chance = _without_its_turn(position, side, -shape(position, side.opponent))
    return chance if side is Side.YELLOW else 1 - chance


def _next_side(position: Position) -> Side | None:
    """Return whose turn is next: before the kick-off, the side that takes it if that is known (S5)."""
    if position.phase in (Phase.SET_UP, Phase.KICK_OFF) and position.preset.number_first:
        return Side.YELLOW
    return None if position.phase is Phase.SET_UP else position.side


def _winner_takes_all(position: Position) -> float:
    lead = position.score.yellow - position.score.red or _last(position, Side.YELLOW)
    return 0.5 + (lead > 0) / 2 - (lead < 0) / 2


def _last(position: Position, side: Side) -> int:
    """Return who scored last, as ``side`` sees it."""
    if position.last_scorer is None:
        return NOBODY
    return OWN if position.last_scorer is side else OTHER


def _in_play(position: Position, side: Side, ball: int) -> float:
    """Return the chance of winning of ``side``, which is to roll."""
    own, opponents = position.players[side], position.players[side.opponent]
    players = spaces_of(own + opponents)
    steps = steps_to_ball(players, ball)
    mine = _reach(side, own, players, ball, steps)
    theirs = _reach(side.opponent, opponents, players, ball, steps)
    goals = (
        TO_ACT
        + KICK * (mine.kicks - theirs.kicks)
        + SUPPORT * (mine.supported - theirs.supported)
        + BALL * (WORTH[side][ball] - WORTH[side.opponent][ball])
        + (THREAT + THREAT_UNTOUCHED * (1 - mine.kicks)) * theirs.scores
        + _standing(own, side, ball)
        - _standing(opponents, side.opponent, ball)
    )
    lead = position.score[side] - position.score[side.opponent]
    scored = 1 - chance_at(position.preset, position.turns + 1, -(lead + 1), OTHER)
    return mine.scores * scored + (1 - mine.scores) * _by_goals(position, side, goals)


def _without_its_turn(position: Position, side: Side, goals: float) -> float:
    """Return the chance of winning of ``side``, apart from its next turn, when so many goals are to come."""
    lead = position.score[side] - position.score[side.opponent]
    if _turns_left(position.preset, position.turns + 1, lead):
        return _by_goals(position, side, goals)
    return chance_at(position.preset, position.turns, lead, _last(position, side))


def _by_goals(position: Position, side: Side, goals: float) -> float:
    """Return the chance of winning of ``side`` when it does not score in its turn, and so many goals later."""
    preset, turns = position.preset, position.turns + 1
    lead, last = position.score[side] - position.score[side.opponent], _last(position, side)
    as_usual = 1 - chance_at(preset, turns, -lead, -last)
    left = _turns_left(preset, turns, lead)
    if not left:
        return as_usual
    goals = max(-MAX_GOALS, min(MAX_GOALS, goals * (1 - FADING**left)))
    if goals >= 0:
        return as_usual + goals * (1 - chance_at(preset, turns, -(lead + 1), OTHER) - as_usual)
    return as_usual - goals * (1 - chance_at(preset, turns, -(lead - 1), OWN) - as_usual)


def _turns_left(preset: Preset, turns: int, lead: int) -> int:
    """Return how many turns are to come after so many: in extra time, which only a level score leads to, all of it."""
    left = 2 * preset.minutes - turns
    if left > 0:
        return left
    return 0 if lead else left + 2 * preset.extra_minutes


def _reach(side: Side, players: tuple[int, ...], taken: int, ball: int, steps: list[int]) -> Reach:
    own, near = spaces_of(players), []
    for distance in range(1, FACES + 1):
        near += [distance] * (steps[distance] & own).bit_count()
    near += [TOO_FAR, TOO_FAR]
    least = least_face(side, players, taken, ball, steps)
    return Reach((TOO_FAR - least) / FACES, (TOO_FAR - near[0]) / FACES, (TOO_FAR - near[1]) / FACES)


def _standing(players: tuple[int, ...], side: Side, ball: int) -> float:
    """Return the value of how the side's players stand, in goals."""
    away, defenders, attackers = posts([turned(player, side) for player in players], turned(ball, side))
    return LATER_GOALIE_AWAY * min(away, MAX_GOALIE_AWAY) + LATER_DEFENDER * defenders + LATER_ATTACKER * attackers
