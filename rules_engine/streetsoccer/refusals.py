"""The reasons why a move is refused, by the rule that it breaks."""

from collections.abc import Callable

from rules_engine.errors import IllegalMove
from rules_engine.streetsoccer import set_up
from rules_engine.streetsoccer.enclosure import enclosed_balls
from rules_engine.streetsoccer.kick import Ball, kick_ends
from rules_engine.streetsoccer.notation import Action, Kicked, Passed, Placed, Rolled, Walked
from rules_engine.streetsoccer.paths import MAX_KICK
from rules_engine.streetsoccer.pitch import GOALS, NAMES, PITCH, WALKABLE
from rules_engine.streetsoccer.position import Phase, Position
from rules_engine.streetsoccer.shift import crowds_area, stays
from rules_engine.streetsoccer.turn import Situation
from rules_engine.streetsoccer.walk import walk

_ENCLOSED = {"S19": "ball_enclosed", "S20": "ball_cut_off"}


def too_many_placed(phase: Phase, action: Placed) -> IllegalMove:
    """Return the refusal of a text that places more players than there are to place in this phase."""
    rule = "S18" if phase is Phase.RESTART else "S4"
    return IllegalMove(rule, "too_many_placed", text=str(action))


def refuse(position: Position, action: Action) -> IllegalMove:
    """Return why this action, which is not legal here, is refused."""
    if position.phase is Phase.OVER:
        return IllegalMove("S3", "match_over")
    if position.rolling or isinstance(action, Rolled):
        rule = {Phase.PLAY: "S7", Phase.RESTART: "S18"}.get(position.phase, "S5")
        return IllegalMove(rule, "die_first" if position.rolling else "no_die_now")
    match position.phase, action:
        case Phase.SET_UP, Placed(spaces=(space, *_)):
            refusal = set_up.refusal(position.preset, position.acting, position.own, position.opponents, space)
            return refusal or too_many_placed(position.phase, action)
        case Phase.SET_UP, _:
            return IllegalMove("S4", "set_up_form")
        case Phase.KICK_OFF, Kicked(start=None, end=None, target=target):
            return _refuse_dead_ball(position, target, "S6")
        case Phase.KICK_OFF, _:
            return IllegalMove("S6", "kick_off_form")
        case Phase.RESTART, _:
            return _refuse_restart(position, action)
        case _, Walked(start=start, end=end):
            return _refuse_walk(position, start, end)
        case _, Kicked(start=int(start), end=int(end), target=target):
            return _refuse_kick(position, start, end, target)
        case _, Passed():
            return IllegalMove("S21", "pass_not_allowed")
    return IllegalMove("S7", "turn_form")


def _refuse_restart(position: Position, action: Action) -> IllegalMove:
    match action:
        case Placed(spaces=(space, *_)) if position.ball is None and position.number is None:
            return _refuse_keeper(space)
        case Kicked(start=None, end=int(space), target=target) if position.ball is None and position.number:
            if space not in position.keeper_choices:
                return _refuse_keeper(space)
            return _refuse_dead_ball(position.with_keeper(space), target, "S18")
        case Kicked(start=None, end=None, target=target) if position.ball is not None:
            return _refuse_dead_ball(position, target, "S18")
    if position.ball is not None:
        form = "restart_form_kick"
    elif position.number is None:
        form = "restart_form_goalie"
    else:
        form = "restart_form_both"
    return IllegalMove("S18", form)


def _refuse_keeper(space: int) -> IllegalMove:
    return IllegalMove("S18", "restart_space", space=NAMES[space])


def _refuse_dead_ball(position: Position, target: int | None, rule: str) -> IllegalMove:
    situation = position.situation
    if target is None and rule == "S6":
        return IllegalMove("S6", "kick_off_cannot_score")
    balls = [(player, position.pips) for player in position.own if position.kickers >> player & 1]
    refusal = _refuse_target(situation, balls, situation.own, target)
    return refusal or _refuse_enclosure(situation.own, situation, 1 << (target or 0))


def _refuse_walk(position: Position, start: int, end: int) -> IllegalMove:
    situation = position.situation
    if start not in situation.players:
        return _refuse_mover(situation, start)
    index = situation.players.index(start)
    name, goal = NAMES[end], (GOALS.yellow | GOALS.red) >> end & 1
    ball, taken = 1 << situation.ball, situation.own | situation.opponents
    if end == start:
        return IllegalMove("S7", "walk_back", space=name)
    if end == situation.ball:
        return IllegalMove("S8", "walk_onto_ball", space=name)
    if goal:
        return IllegalMove("S7", "walk_into_goal", space=name)
    if taken >> end & 1:
        code = "space_taken_by_own" if situation.own >> end & 1 else "space_taken_by_opponent"
        return IllegalMove("S1", code, space=name)
    reached, _ = walk(start, position.pips, WALKABLE & ~(taken | ball), ball)
    if not reached >> end & 1:
        through, _ = walk(start, position.pips, WALKABLE & ~taken, 0)
        if through >> end & 1:
            return IllegalMove("S8", "walk_through_ball", ball=NAMES[situation.ball], space=name)
        return IllegalMove("S7", "walk_unreachable", start=NAMES[start], number=position.pips, space=name)
    if not stays(end, situation.side, index == 0):
        return IllegalMove("S15", "walk_keeper_space", space=name)
    if crowds_area(end, situation.side, index == 0, situation.mates(index)):
        return _crowded(end)
    return _refuse_enclosure(situation.own ^ (1 << start | 1 << end), situation, ball)


def _refuse_kick(position: Position, start: int, end: int, target: int | None) -> IllegalMove:
    situation = position.situation
    if start not in situation.players:
        return _refuse_mover(situation, start)
    index = situation.players.index(start)
    name, ball = NAMES[end], 1 << situation.ball
    if end != situation.ball:
        return IllegalMove("S8", "kick_not_from_ball", ball=NAMES[situation.ball], space=name)
    taken = situation.own | situation.opponents
    _, lengths = walk(start, position.pips, WALKABLE & ~(taken | ball), ball)
    if not lengths:
        return IllegalMove("S8", "ball_unreachable", start=NAMES[start], ball=name, number=position.pips)
    landings = situation.landings(index)
    if not landings:
        if crowds_area(end, situation.side, index == 0, situation.mates(index)) and stays(
            end, situation.side, index == 0
        ):
            return _crowded(end)
        return IllegalMove("S17", "kicker_without_space", space=name)
    others = situation.own ^ 1 << start
    balls = [(end, length) for length in range(1, 7) if lengths >> length & 1]
    if refusal := _refuse_target(situation, balls, others | ball, target):
        return refusal
    landing = next((landing for landing in landings if landing != target), None)
    if landing is None:
        return IllegalMove("S17", "kicker_space_taken", space=name)
    return _refuse_enclosure(others | 1 << landing, situation, 1 << (target or 0))


def _refuse_mover(situation: Situation, start: int) -> IllegalMove:
    code = "not_your_player" if situation.opponents >> start & 1 else "no_player_on_space"
    return IllegalMove("S7", code, space=NAMES[start])


def _crowded(space: int) -> IllegalMove:
    return IllegalMove("S16", "crowded_area", space=NAMES[space])


def _refuse_enclosure(own: int, situation: Situation, ball: int) -> IllegalMove:
    (rule,) = enclosed_balls(own, situation.opponents, ball).values()
    return IllegalMove(rule, _ENCLOSED[rule])


def _refuse_target(situation: Situation, balls: list[Ball], own: int, target: int | None) -> IllegalMove | None:
    """Return why none of the balls ends there, ``None`` if one does.

    ``own`` are the players who play the ball on, the kicker at the new place among them.
    """
    team = [number for number in NAMES if own & PITCH & 1 << number]

    def reaches(balls: list[Ball], opponents: int) -> bool:
        ends, scores = kick_ends(balls, team, own | opponents, situation.side)
        return scores if target is None else bool(ends >> target & 1)

    if reaches(balls, situation.opponents):
        return None
    if target is None:
        if reaches(balls, 0):
            return IllegalMove("S11", "shot_blocked")
        return IllegalMove("S14", "shot_impossible", lengths=_lengths(balls))
    return _refuse_space(situation, own, target) or _refuse_length(situation, balls, target, reaches)


def _refuse_space(situation: Situation, own: int, target: int) -> IllegalMove | None:
    name = NAMES[target]
    if (GOALS.yellow | GOALS.red) >> target & 1:
        return IllegalMove("S14", "goal_form", space=name)
    if not PITCH >> target & 1:
        return IllegalMove("S10", "kick_outside", space=name)
    if situation.opponents >> target & 1:
        return IllegalMove("S11", "kick_onto_opponent", space=name)
    if own >> target & 1:
        return IllegalMove("S12", "kick_onto_own", space=name)
    return None


def _refuse_length(
    situation: Situation, balls: list[Ball], target: int, reaches: Callable[[list[Ball], int], bool]
) -> IllegalMove:
    name, lengths = NAMES[target], _lengths(balls)
    if reaches(balls, 0):
        return IllegalMove("S11", "kick_blocked", lengths=lengths, space=name)
    feet = {number for number, _ in balls}
    shortest = min(length for _, length in balls)
    if reaches([(number, length) for number in feet for length in range(1, shortest)], situation.opponents):
        return IllegalMove("S13", "kick_too_near", lengths=lengths, space=name)
    if reaches([(number, length) for number in feet for length in range(shortest, MAX_KICK + 1)], situation.opponents):
        return IllegalMove("S9", "kick_too_far", lengths=lengths, space=name)
    return IllegalMove("S10", "kick_impossible", lengths=lengths, space=name)


def _lengths(balls: list[Ball]) -> tuple[int, ...]:
    return tuple(sorted({length for _, length in balls}))
