"""The data of stream events, as TypedDicts."""

from __future__ import annotations

from datetime import datetime
from typing import NotRequired, TypedDict

from matches.schemas.match import StatusName
from matches.schemas.seek import SeekSchema
from matches.schemas.values import SideName
from tournaments.schemas.competition import KindName


class MatchEventSchema(TypedDict):
    """What a match has come to: the data of the event `match`."""

    match: int
    ply: int
    """How many moves and rolls have been played."""
    status: StatusName
    turn: SideName | None
    """The side to act, null once the match is over."""
    paused: bool
    annulled: bool
    you: NotRequired[SideName]
    """Your side, on your own stream if you play in the match."""


class SeekEventSchema(TypedDict):
    """What has become of a seek or an invitation: the data of the event `seek`."""

    seek: SeekSchema
    own: NotRequired[bool]
    """Whether it is yours; else you are invited."""


class CompetitionEventSchema(TypedDict):
    """What was announced or done in a competition that you play in or organise: the data of the event `competition`."""

    competition: int
    slug: str
    kind: KindName
    action: str
    """What was done, as in the log."""
    at: datetime
    organises: NotRequired[bool]
    """Whether you organise it; else you play in it."""


MATCH_STREAM: dict[str, type | None] = {"match": MatchEventSchema}
PLAYER_STREAM: dict[str, type | None] = {
    "ready": None,
    "reset": None,
    "match": MatchEventSchema,
    "seek": SeekEventSchema,
    "competition": CompetitionEventSchema,
}
