"""StreetSoccer in sentences: what is to be done, who stands where, and what a move does."""

from functools import cache

from rules_engine.messages import Message
from rules_engine.streetsoccer import set_up
from rules_engine.streetsoccer.legal_moves import legal_moves
from rules_engine.streetsoccer.notation import PASS, Action, Kicked, Placed, Rolled, Walked
from rules_engine.streetsoccer.pitch import NAMES
from rules_engine.streetsoccer.position import GOALIE, Phase, Position
from rules_engine.streetsoccer.presets import TEAM
from rules_engine.values import Side

_STAGES = {Phase.SET_UP: "stage_set_up", Phase.KICK_OFF: "stage_kick_off", Phase.OVER: "stage_full_time"}


def stage(position: Position) -> Message:
    """Return where the match is, such as ``"minute 17"``."""
    if code := _STAGES.get(position.phase):
        return Message(code)
    extra = position.minute > position.preset.minutes
    return Message("stage_extra_time" if extra else "stage_minute", minute=position.minute)


def task(position: Position) -> Message:
    """Return what the side to act has to do, in one sentence."""
    if position.rolling:
        return Message("task_dice" if position.side is None else "task_die")
    if position.side is None:
        return Message("task_match_over")
    if position.phase is Phase.SET_UP:
        return _placing_task(position)
    if position.phase is Phase.KICK_OFF:
        return Message("task_kick_off", number=position.pips)
    if position.phase is Phase.RESTART:
        return _restart_task(position)
    return Message("task_pass" if legal_moves(position) == [PASS] else "task_move", number=position.pips)


def describe_board(position: Position) -> tuple[Message, ...]:
    """Return where each side's players are, and the ball."""
    return (*(_describe_team(side, position.players[side]) for side in Side), _describe_ball(position.ball))


def describe_roll(position: Position, roll: Rolled) -> Message:
    """Return the sentence about a roll."""
    if position.side is not None and position.phase is not Phase.SET_UP:
        return Message("rolls", side=position.side.value, face=roll.face)
    side = Side.YELLOW if position.first_die is None else Side.RED
    return Message("rolls_for_kick_off", side=side.value, face=roll.face)


def describe_move(position: Position, action: Action, after: Position) -> Message:
    """Return what a move of the side to act does, which leads to the position ``after``."""
    side = position.acting
    match action:
        case Placed(spaces=spaces) if position.phase is Phase.SET_UP:
            placed = tuple(_placed(index, space) for index, space in enumerate(spaces, start=len(position.own)))
            return Message("places", side=side.value, players=placed)
        case Placed(spaces=(space, *_)):
            return Message("restarts", side=side.value, space=NAMES[space])
        case Walked(start=start, end=end):
            player = _player(side, position.own.index(start))
            return Message("walks", player=player, start=NAMES[start], end=NAMES[end])
        case Kicked(start=int(start), end=int(end), target=target):
            return _describe_kick(position, start, end, target, after)
        case Kicked(end=int(space), target=None):
            return Message("restarts_and_scores", side=side.value, space=NAMES[space])
        case Kicked(end=int(space), target=int(target)):
            return Message("restarts_and_kicks", side=side.value, space=NAMES[space], target=NAMES[target])
        case Kicked(target=int(target)) if position.phase is Phase.KICK_OFF:
            return Message("kicks_off", side=side.value, target=NAMES[target])
        case Kicked(target=None):
            return Message("goalie_scores", player=_player(side, GOALIE))
        case Kicked(target=int(target)):
            return Message("goalie_kicks", player=_player(side, GOALIE), target=NAMES[target])
    return Message("passes", side=side.value)


def _placing_task(position: Position) -> Message:
    own = position.own
    if not own:
        return Message("task_place_goalie")
    places = set_up.places_left(position.preset, position.acting, own)
    if not places:
        return Message("task_place", player=len(own) + 1)
    code = "task_place_last" if len(own) == TEAM - 1 else "task_place_among"
    return Message(code, player=len(own) + 1, places=places)


def _restart_task(position: Position) -> Message:
    scorer = position.acting.opponent.value
    if position.number is None:
        return Message("task_restart_goalie", scorer=scorer)
    if position.ball is None:
        return Message("task_restart_both", scorer=scorer, number=position.pips)
    return Message("task_restart_kick", number=position.pips)


def _describe_kick(position: Position, start: int, end: int, target: int | None, after: Position) -> Message:
    side = position.acting
    index = position.own.index(start)
    parameters = {"player": _player(side, index), "start": NAMES[start], "end": NAMES[end]}
    if target is not None:
        parameters["target"] = NAMES[target]
    landing = after.players[side][index]
    if landing == end:
        return Message("walks_and_scores" if target is None else "walks_and_kicks", **parameters)
    code = "walks_scores_and_moves" if target is None else "walks_kicks_and_moves"
    return Message(code, **parameters, landing=NAMES[landing])


def _describe_ball(ball: int | None) -> Message:
    return Message("ball_not_in_play") if ball is None else Message("ball_on", space=NAMES[ball])


def _describe_team(side: Side, players: tuple[int, ...]) -> Message:
    if not players:
        return Message("team_empty", side=side.value)
    return Message("team", side=side.value, players=tuple(_standing(*each) for each in enumerate(players)))


@cache
def _standing(index: int, space: int) -> Message:
    """Return where a player is: most of them are where they have been before the move."""
    if index == GOALIE:
        return Message("goalie_on", space=NAMES[space])
    return Message("player_on", player=index + 1, space=NAMES[space])


def _player(side: Side, index: int) -> Message:
    if index == GOALIE:
        return Message("goalie_of", side=side.value)
    return Message("player_of", side=side.value, player=index + 1)


def _placed(index: int, space: int) -> Message:
    if index == GOALIE:
        return Message("the_goalie_on", space=NAMES[space])
    return Message("the_player_on", player=index + 1, space=NAMES[space])
