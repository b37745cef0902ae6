"""Records in JSON; ``rules_engine.record_formats`` reads and writes them."""

from __future__ import annotations

from typing import TypedDict, cast

from matches.schemas.values import ActorName
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
