"""Moves in JSON."""

from datetime import datetime
from typing import TypedDict, cast

from matches.models import Move
from matches.schemas.values import ActorName
from matches.selectors.matches import list_moves


class MoveSchema(TypedDict):
    """A move or a roll of a match."""

    ply: int
    """Its number, from 0."""
    actor: ActorName
    text: str
    played_at: datetime
    thinking: int | None
    """The time for which its player thought, in milliseconds; null for a roll."""
    is_drawn: bool
    """True if the time for the decision ran out, so that the dice chose among the legal moves."""
    by_itself: bool
    """True if it was the only legal move, and was played for its player at once."""
    allowance: int
    """The milliseconds of the thinking time that were not charged, for the way of the move in a live match."""


MEMBERS = ("ply", "actor", "text", "played_at", "thinking", "is_drawn", "by_itself", "allowance")


def move_to_json(move: Move) -> MoveSchema:
    """Return a move."""
    return {
        "ply": move.ply,
        "actor": cast("ActorName", str(move.actor)),
        "text": move.text,
        "played_at": move.played_at,
        "thinking": move.thinking,
        "is_drawn": move.is_drawn,
        "by_itself": move.by_itself,
        "allowance": move.allowance,
    }


def moves_to_json(match_id: int) -> list[MoveSchema]:
    """Return all moves of a match, the first one first."""
    return [cast("MoveSchema", dict(zip(MEMBERS, row, strict=True))) for row in list_moves(match_id)]
