"""Answers to players who play a move or actions of a turn, and the routes to one move."""

from dataclasses import asdict
from typing import NotRequired, TypedDict, cast

from matches.errors import refusals_of
from matches.models import Match
from matches.schemas.match import MatchSchema, MatchSummarySchema
from matches.schemas.move import MoveSchema


class RouteSchema(TypedDict):
    """One way to play a move."""

    walk: list[str]
    """The spaces that the player walks over."""
    kick: list[str]
    """The spaces that the ball enters."""
    touches: list[str]
    """The spaces where a player touches the ball."""
    shift: str | None
    """The shift after the kick, if there is one."""


def route_to_json(match: Match, text: str) -> RouteSchema:
    """Return one way to play a move in the present position.

    Raises ``UnreadableMove`` or ``RefusedMove``.
    """
    with refusals_of(match.game):
        return cast("RouteSchema", asdict(match.state.route(text)))


class PlayedMoveSchema(TypedDict):
    """A stored move, and the match after it."""

    move: MoveSchema
    match: MatchSchema


class MoveReceiptSchema(TypedDict):
    """A stored move, and what a list shows of the match after it."""

    move: MoveSchema
    summary: MatchSummarySchema


class PlayedTurnSchema(TypedDict):
    """The stored moves of a turn, and the match after them."""

    moves: list[MoveSchema]
    """One for each action."""
    not_played: NotRequired[list[str]]
    """With `across_rolls`: the actions that could not follow a roll, none if all were played."""
    match: MatchSchema


class TurnReceiptSchema(TypedDict):
    """The stored moves of a turn, and what a list shows of the match after them."""

    moves: list[MoveSchema]
    """One for each action."""
    not_played: NotRequired[list[str]]
    """With `across_rolls`: the actions that could not follow a roll, none if all were played."""
    summary: MatchSummarySchema
