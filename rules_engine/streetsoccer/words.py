"""StreetSoccer in English sentences: who stands where, and what a move does."""

from __future__ import annotations

from rules_engine.streetsoccer.notation import Action, Kicked, Placed, Rolled, Walked
from rules_engine.streetsoccer.pitch import NAMES
from rules_engine.streetsoccer.position import GOALIE, Phase, Position
from rules_engine.values import Side
from rules_engine.words import join_words


def describe_board(position: Position) -> tuple[str, ...]:
    """Return where each side's players are, and the ball."""
    ball = "The ball is not in play." if position.ball is None else f"The ball is on {NAMES[position.ball]}."
    return (*(_describe_team(side, position.players[side]) for side in Side), ball)


def describe_roll(position: Position, roll: Rolled) -> str:
    """Return who rolls what."""
    if position.side is not None and position.phase is not Phase.SET_UP:
        return f"{position.side.capitalize()} rolls {roll.face}."
    return f"{'Yellow' if position.first_die is None else 'Red'} rolls {roll.face} for the kick-off."


def describe_move(position: Position, action: Action, after: Position) -> str:
    """Return what a move of the side to act does, which leads to the position ``after``."""
    side = position.acting
    match action:
        case Placed(spaces=spaces) if position.phase is Phase.SET_UP:
            first = len(position.own)
            placed = [f"{_piece(index)} on {NAMES[space]}" for index, space in enumerate(spaces, start=first)]
            return f"{side.capitalize()} places {join_words(placed)}."
        case Placed(spaces=(space, *_)):
            return f"{side.capitalize()} restarts with the goalie on {NAMES[space]}."
        case Walked(start=start, end=end):
            return f"{_player(side, position.own.index(start))} walks from {NAMES[start]} to {NAMES[end]}."
        case Kicked(start=int(start), end=int(end), target=target):
            index = position.own.index(start)
            walk = f"{_player(side, index)} walks from {NAMES[start]} to {NAMES[end]} and {_kick(target)}"
            landing = after.players[side][index]
            return f"{walk}." if landing == end else f"{walk}, then is moved to {NAMES[landing]}."
        case Kicked(end=int(space), target=target):
            return f"{side.capitalize()} restarts with the goalie on {NAMES[space]}, who {_kick(target)}."
        case Kicked(target=target) if position.phase is Phase.KICK_OFF:
            return f"{side.capitalize()} kicks off to {NAMES[target or 0]}."
        case Kicked(target=target):
            return f"{_player(side, GOALIE)} {_kick(target)}."
    return f"{side.capitalize()} passes, as no move is possible."


def _describe_team(side: Side, players: tuple[int, ...]) -> str:
    if not players:
        return f"{side.capitalize()} has nobody on the board."
    standing = [f"{_name(index)} on {NAMES[space]}" for index, space in enumerate(players)]
    return f"{side.capitalize()}: {join_words(standing)}."


def _player(side: Side, index: int) -> str:
    return f"{side.capitalize()} {_name(index)}"


def _name(index: int) -> str:
    return "goalie" if index == GOALIE else str(index + 1)


def _piece(index: int) -> str:
    return "the goalie" if index == GOALIE else f"player {index + 1}"


def _kick(target: int | None) -> str:
    return "scores" if target is None else f"kicks to {NAMES[target]}"
