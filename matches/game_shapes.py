"""The shape of games, and of records of their matches, in JSON."""

from __future__ import annotations

from typing import TypedDict

from matches.shapes import ActorName, NumbersShape, OutcomeShape


class TextShape(TypedDict):
    """A text in which matches of a game are exchanged elsewhere."""

    key: str
    title: str


class GameShape(TypedDict):
    """A game that can be played, against the computer too if it has one: ``levels`` are how strong it plays.

    ``texts`` are those in which its matches are exchanged, beside the record.
    """

    key: str
    family: str
    title: str
    has_computer: bool
    levels: list[str]
    texts: list[TextShape]


class EventShape(TypedDict):
    """One event in a record."""

    actor: ActorName
    text: str


class RecordShape(TypedDict):
    """A match's record: the JSON twin of its text."""

    tags: dict[str, str]
    moves: list[EventShape]


class ReplayedShape(TypedDict):
    """A position that a text leads to, after its first ``ply`` events."""

    ply: int
    position: str
    stage: str
    score: NumbersShape


class ReplayShape(TypedDict):
    """A text played through: its record, its positions, and how the match ended if the rules say so.

    ``remarks`` are sentences about what the text says of the match that is not so, such as another winner. ``last`` is
    the last position. ``positions`` are at most 100 from ``first_ply`` on; ``next_ply`` is where to go on, if anywhere.
    """

    game: str
    title: str
    record: RecordShape
    remarks: list[str]
    last: ReplayedShape
    positions: list[ReplayedShape]
    next_ply: int | None
    outcome: OutcomeShape | None
