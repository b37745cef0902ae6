"""The shape of a match's analysis in JSON: what the API answers.

Chances are from 0 to 1, and what is gained or lost of them from -1 to 1; a draw counts a half.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypedDict

from matches.shapes import ActorName, SideName

AnalysisStatusName = Literal["wanted", "running", "done", "failed"]


class EngineShape(TypedDict):
    """Who judges: by name and version, and how far it looks.

    For each position that is judged at most ``nodes`` others are looked at, at most ``depth`` turns ahead.
    """

    name: str
    nodes: int
    depth: int


class JudgedEventShape(TypedDict):
    """An event, and Yellow's chance of winning: before a roll the mean over all faces, before a move by the best one.

    ``side`` has played the move, or is to act after the roll; null where a roll is nobody's. ``luck`` is how much
    better a roll is than the mean for this side (for Yellow, where it is nobody's), 0 for a move. ``given_away`` is how
    much worse a move is for its side than the ``best`` one that was found, 0 for a roll. ``best`` is null for a roll,
    and where nothing was looked into, as in a set-up; it may be several actions joined.
    """

    ply: int
    actor: ActorName
    text: str
    side: SideName | None
    before: float
    after: float
    luck: float
    given_away: float
    best: str | None


class SumShape(TypedDict):
    """The luck of a side's rolls, and what its moves gave away."""

    luck: float
    given_away: float


class SumsShape(TypedDict):
    """Sums for each side. Half the luck of rolls that are nobody's is Yellow's, and as much bad luck Red's."""

    yellow: SumShape
    red: SumShape


class AnalysisShape(TypedDict):
    """The analysis of a match. ``judged`` of its ``plies`` events are in ``events`` so far, and in the sums."""

    match: int
    url: str
    status: AnalysisStatusName
    judged: int
    plies: int
    engine: EngineShape
    sums: SumsShape
    events: list[JudgedEventShape]
    wanted_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
