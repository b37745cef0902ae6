"""Records and replayed texts in JSON; ``rules_engine.record_formats`` reads and writes records."""

from typing import TypedDict, cast

from matches.interchange import Replay
from matches.schemas.position import ReplayedPositionSchema, replayed_position_to_json
from matches.schemas.values import ActorName, OutcomeSchema, outcome_to_json
from rules_engine import record_formats
from rules_engine.record import Record


class RecordedMoveSchema(TypedDict):
    """A move or a roll in a record."""

    actor: ActorName
    text: str


class RecordSchema(TypedDict):
    """A match's record, with the same content as its text."""

    tags: dict[str, str]
    moves: list[RecordedMoveSchema]


def record_to_json(record: Record) -> RecordSchema:
    """Return a record."""
    return cast("RecordSchema", record_formats.record_to_json(record))


MAX_POSITIONS = 100
"""The most positions of a text that one answer holds."""


class ReplaySchema(TypedDict):
    """A replayed text: its record, its positions, and how the match ended."""

    game: str
    title: str
    record: RecordSchema
    remarks: list[str]
    """Sentences about what the text says that is not true of the match, such as another winner, or was left out."""
    number: int
    """Which match of the text this is, from 1."""
    matches: list[str]
    """The titles of the first 100 matches of the text; none for a record in JSON."""
    last: ReplayedPositionSchema
    """The last position."""
    positions: list[ReplayedPositionSchema]
    """At most 100 positions from ``first_ply`` on."""
    next_ply: int | None
    """The ``first_ply`` of the positions that come next, if there are more."""
    outcome: OutcomeSchema | None
    """The outcome of the match, if the rules give one."""


def replay_to_json(replay: Replay, first_ply: int = 0) -> ReplaySchema:
    """Return the game, the record, the last position, and at most ``MAX_POSITIONS`` others from ``first_ply`` on."""
    states = replay.states
    outcome = states[-1].outcome
    end = first_ply + MAX_POSITIONS
    return {
        "game": replay.game.key,
        "title": replay.game.title,
        "record": record_to_json(replay.record),
        "remarks": list(replay.remarks),
        "number": replay.number,
        "matches": list(replay.matches),
        "last": replayed_position_to_json(states[-1], len(states) - 1),
        "positions": [
            replayed_position_to_json(state, ply) for ply, state in enumerate(states[first_ply:end], start=first_ply)
        ],
        "next_ply": end if end < len(states) else None,
        "outcome": outcome_to_json(outcome) if outcome else None,
    }
