"""What a program needs to move, in JSON: how a match stands, its last moves, and the legal ones."""

from datetime import datetime
from typing import TypedDict, cast

from matches.models import Actor, Match
from matches.schemas.match import ClocksSchema, match_summary_to_json
from matches.schemas.move import MoveSchema, move_to_json
from matches.schemas.values import NumbersSchema, OutcomeSchema
from matches.selectors.matches import moves_between

MAX_MOVES = 20
"""The most of the last moves and rolls that come with a state."""

MAX_LEGAL = 1_000
"""The most legal moves that come with a state."""


class MatchStateSchema(TypedDict):
    """How a match stands, for all who follow it."""

    position: str
    stage: str
    task: str
    """The task of the side to act now."""
    score: NumbersSchema
    clocks: ClocksSchema
    turn_started_at: datetime
    deadline: datetime | None
    """The moment when the time of the side to act runs out, null while no clock runs."""
    roll: str | None
    """The roll that the side to act has to play."""
    moves: list[MoveSchema]
    """The last moves and rolls, 20 at most, the latest last."""
    legal_moves: list[str] | None
    """The legal moves of the side to act, null if they are more than 1,000: read the match then."""
    outcome: OutcomeSchema | None


_OF_SUMMARY = ("position", "stage", "score", "clocks", "turn_started_at", "deadline", "outcome")


def state_to_json(match: Match) -> MatchStateSchema:
    """Return how a match stands. One query."""
    summary = match_summary_to_json(match, None)
    moves = moves_between(match.pk, since=max(match.ply - MAX_MOVES, 0), until=match.ply)
    legal = list(match.state.legal_moves()) if match.is_running else []
    rolled = bool(match.side and moves and moves[-1].actor == Actor.CHANCE)
    return cast(
        "MatchStateSchema",
        {
            **{name: summary[name] for name in _OF_SUMMARY},  # type: ignore[literal-required]
            "task": match.state.task if match.side else "",
            "roll": moves[-1].text if rolled else None,
            "moves": [move_to_json(move) for move in moves],
            "legal_moves": legal if len(legal) <= MAX_LEGAL else None,
        },
    )
