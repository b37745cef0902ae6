"""What the referee says: what is to be done now, and what is wrong with a refused move."""

from __future__ import annotations

from collections.abc import Callable

from rules_engine.errors import IllegalMove
from rules_engine.streetsoccer import set_up
from rules_engine.streetsoccer.enclosure import enclosed_balls
from rules_engine.streetsoccer.kick import Ball, kick_ends
from rules_engine.streetsoccer.legal import legal_moves
from rules_engine.streetsoccer.notation import Action, Kicked, Passed, Placed, Rolled, Walked
from rules_engine.streetsoccer.paths import MAX_KICK
from rules_engine.streetsoccer.pitch import GOALS, NAMES, PITCH, WALKABLE
from rules_engine.streetsoccer.position import Phase, Position
from rules_engine.streetsoccer.presets import TEAM
from rules_engine.streetsoccer.shift import crowds_area, stays
from rules_engine.streetsoccer.turn import Situation
from rules_engine.streetsoccer.walk import walk

ENCLOSED = {
    "S19": "your players would enclose the ball in an area that touches fewer than three borderlines",
    "S20": "one of the teams would have no path to the ball inside the lines",
}


def stage(position: Position) -> str:
    """Return where the match is, such as ``"minute 17"``."""
    if position.phase in (Phase.SET_UP, Phase.KICK_OFF):
        return position.phase.value
    if position.phase is Phase.OVER:
        return "full time"
    extra = position.minute > position.preset.minutes
    return f"extra time, minute {position.minute}" if extra else f"minute {position.minute}"


def task(position: Position) -> str:
    """Return what whoever is to act has to do, in one sentence."""
    if position.rolling:
        return "The dice are rolled." if position.side is None else "The die is rolled."
    if position.side is None:
        return "The match is over."
    if position.phase is Phase.SET_UP:
        if not position.players[position.side]:
            return "Place your goalie on one of your keeper spaces."
        own = position.players[position.side]
        places = set_up.places_left(position.preset, position.side, own)
        if not places:
            return f"Place player {len(own) + 1}."
        needed = "a player" if len(own) == TEAM - 1 else "players"
        return f"Place player {len(own) + 1} in {' or in '.join(places)}: your team needs {needed} there."
    if position.phase is Phase.KICK_OFF:
        return f"Kick off: the ball goes exactly {_spaces(position.pips)} and cannot score."
    if position.phase is Phase.RESTART:
        if position.number is None:
            return "Choose the keeper space from which your goalie brings the ball back."
        where = "" if position.ball is not None else "Choose your goalie's keeper space, then "
        kick = f"kick the ball exactly {_spaces(position.pips)}."
        return where + kick if where else kick.capitalize()
    if legal_moves(position) == ["pass"]:
        return f"No player can use the {position.number}: pass."
    return f"Move one player exactly {_spaces(position.pips)}, or to the ball and kick it."


def too_many_placed(phase: Phase, action: Placed) -> IllegalMove:
    """Return the refusal of a text that places more players than there are to place in this phase."""
    rule = "S18" if phase is Phase.RESTART else "S4"
    return IllegalMove(rule, f"{action} places more players than are to be placed now")


def refuse(position: Position, action: Action) -> IllegalMove:
    """Return why this action, which is not legal here, is refused."""
    if position.phase is Phase.OVER:
        return IllegalMove("S3", "the match is over")
    if position.rolling or isinstance(action, Rolled):
        rule = {Phase.PLAY: "S7", Phase.RESTART: "S18"}.get(position.phase, "S5")
        return IllegalMove(rule, "the die comes first" if position.rolling else "no die is to be rolled now")
    match position.phase, action:
        case Phase.SET_UP, Placed(spaces=(space, *_)):
            refusal = set_up.refusal(position.preset, position.acting, position.own, position.opponents, space)
            return refusal or too_many_placed(position.phase, action)
        case Phase.SET_UP, _:
            return IllegalMove("S4", "players are placed first, one by one, such as @c3")
        case Phase.KICK_OFF, Kicked(start=None, end=None, target=target):
            return _refuse_dead_ball(position, target, "S6")
        case Phase.KICK_OFF, _:
            return IllegalMove("S6", "no player moves at the kick-off; the ball is kicked, such as >e7")
        case Phase.RESTART, _:
            return _refuse_restart(position, action)
        case _, Walked(start=start, end=end):
            return _refuse_walk(position, start, end)
        case _, Kicked(start=int(start), end=int(end), target=target):
            return _refuse_kick(position, start, end, target)
        case _, Passed():
            return IllegalMove("S21", "you can move, and may pass only when nothing is legal")
    return IllegalMove("S7", "in a turn one player walks, such as c3-c5, or walks to the ball and kicks it")


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
        form = "kicks the ball from where he stands, such as >e4"
    elif position.number is None:
        form = "is put on a keeper space first, such as @d1"
    else:
        form = "is put on a keeper space and kicks, such as @d1>e4"
    return IllegalMove("S18", f"after a goal the goalie {form}")


def _refuse_keeper(space: int) -> IllegalMove:
    return IllegalMove("S18", f"the goalie is put on one of his own keeper spaces, not on {NAMES[space]}")


def _refuse_dead_ball(position: Position, target: int | None, rule: str) -> IllegalMove:
    situation = position.situation
    if target is None and rule == "S6":
        return IllegalMove("S6", "a kick-off cannot score")
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
        return IllegalMove("S7", f"a player may not return to {name}, where his walk began")
    if end == situation.ball:
        return IllegalMove("S8", f"a player who enters the ball's space {name} stops there and must kick")
    if goal:
        return IllegalMove("S7", f"nobody walks or stands in a goal, and {name} is in one")
    if taken >> end & 1:
        whose = "your own player" if situation.own >> end & 1 else "an opponent"
        return IllegalMove("S1", f"{name} is taken by {whose}")
    reached, _ = walk(start, position.pips, WALKABLE & ~(taken | ball), ball)
    if not reached >> end & 1:
        through, _ = walk(start, position.pips, WALKABLE & ~taken, 0)
        if through >> end & 1:
            return IllegalMove("S8", f"nobody walks through the ball on {NAMES[situation.ball]} to {name}")
        return IllegalMove("S7", f"the player on {NAMES[start]} cannot walk exactly {_spaces(position.pips)} to {name}")
    if not stays(end, situation.side, index == 0):
        return IllegalMove("S15", f"{name} is a keeper space, where only its own goalie may end")
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
        return IllegalMove("S8", f"the ball is kicked from {NAMES[situation.ball]}, where it lies, not from {name}")
    taken = situation.own | situation.opponents
    _, lengths = walk(start, position.pips, WALKABLE & ~(taken | ball), ball)
    if not lengths:
        return IllegalMove(
            "S8", f"the player on {NAMES[start]} cannot reach the ball on {name} with {position.pips} or fewer steps"
        )
    landings = situation.landings(index)
    if not landings:
        if crowds_area(end, situation.side, index == 0, situation.mates(index)) and stays(
            end, situation.side, index == 0
        ):
            return _crowded(end)
        return IllegalMove("S17", f"the kicker may not stay on {name}, and there is nowhere to move him")
    others = situation.own ^ 1 << start
    balls = [(end, length) for length in range(1, 7) if lengths >> length & 1]
    if refusal := _refuse_target(situation, balls, others | ball, target):
        return refusal
    landing = next((landing for landing in landings if landing != target), None)
    if landing is None:
        return IllegalMove("S17", f"the kicker may not stay on {name}, and the ball takes the only space for him")
    return _refuse_enclosure(others | 1 << landing, situation, 1 << (target or 0))


def _refuse_mover(situation: Situation, start: int) -> IllegalMove:
    whose = "an opponent" if situation.opponents >> start & 1 else "nobody"
    return IllegalMove("S7", f"you move one of your own players, and {whose} stands on {NAMES[start]}")


def _crowded(space: int) -> IllegalMove:
    return IllegalMove("S16", f"on {NAMES[space]} he would be the second outfielder in his own penalty area")


def _refuse_enclosure(own: int, situation: Situation, ball: int) -> IllegalMove:
    (rule,) = enclosed_balls(own, situation.opponents, ball).values()
    return IllegalMove(rule, ENCLOSED[rule])


def _refuse_target(situation: Situation, balls: list[Ball], own: int, target: int | None) -> IllegalMove | None:
    """Return why none of the balls ends there, ``None`` if one does.

    ``own`` are the players who play the ball on, the kicker at his new place among them.
    """
    team = [number for number in NAMES if own & PITCH & 1 << number]

    def reaches(balls: list[Ball], opponents: int) -> bool:
        ends, scores = kick_ends(balls, team, own | opponents, situation.side)
        return scores if target is None else bool(ends >> target & 1)

    if reaches(balls, situation.opponents):
        return None
    if target is None:
        if reaches(balls, 0):
            return IllegalMove("S11", "an opponent is in the way of every shot at the goal")
        return IllegalMove("S14", f"no kick of {_lengths(balls)} crosses the end line from a keeper space")
    return _refuse_space(situation, own, target) or _refuse_length(situation, balls, target, reaches)


def _refuse_space(situation: Situation, own: int, target: int) -> IllegalMove | None:
    name = NAMES[target]
    if (GOALS.yellow | GOALS.red) >> target & 1:
        return IllegalMove("S14", f"a kick into the goal is written >goal, not >{name}")
    if not PITCH >> target & 1:
        return IllegalMove("S10", f"the ball stays inside the lines, and {name} is outside")
    if situation.opponents >> target & 1:
        return IllegalMove("S11", f"the ball cannot enter {name}, where an opponent stands")
    if own >> target & 1:
        return IllegalMove("S12", f"the ball would stop on your own player on {name}")
    return None


def _refuse_length(
    situation: Situation, balls: list[Ball], target: int, reaches: Callable[[list[Ball], int], bool]
) -> IllegalMove:
    name, lengths = NAMES[target], _lengths(balls)
    if reaches(balls, 0):
        return IllegalMove("S11", f"an opponent is in the way of every kick of {lengths} to {name}")
    feet = {number for number, _ in balls}
    shortest = min(length for _, length in balls)
    if reaches([(number, length) for number in feet for length in range(1, shortest)], situation.opponents):
        return IllegalMove("S13", f"the kick is {lengths} long, all of it must be used, and {name} is nearer")
    if reaches([(number, length) for number in feet for length in range(shortest, MAX_KICK + 1)], situation.opponents):
        return IllegalMove("S9", f"the kick is {lengths} long, which does not take the ball to {name}")
    return IllegalMove("S10", f"no kick of {lengths} with one bend a touch ends on {name}")


def _lengths(balls: list[Ball]) -> str:
    return " or ".join(str(length) for length in sorted({length for _, length in balls}))


def _spaces(number: int) -> str:
    return "1 space" if number == 1 else f"{number} spaces"
