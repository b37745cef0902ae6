"""Answers to players who play a move, or several actions of one turn."""

from __future__ import annotations

from typing import TypedDict

from matches.schemas.match import MatchSchema, MatchSummarySchema
from matches.schemas.move import MoveSchema


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
    match: MatchSchema


class TurnReceiptSchema(TypedDict):
    """The stored moves of a turn, and what a list shows of the match after them."""

    moves: list[MoveSchema]
    """One for each action."""
    summary: MatchSummarySchema
