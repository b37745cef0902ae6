"""Positions in JSON."""

from __future__ import annotations

from typing import TypedDict

from matches.schemas.picture import PictureSchema, picture_to_json
from matches.schemas.values import NumbersSchema, numbers_to_json
from rules_engine.description import summarise
from rules_engine.protocol import State


class PositionSchema(TypedDict):
    """A position that a match has been through."""

    ply: int
    """The number of moves and rolls that led to it."""
    position: str
    in_words: list[str]
    """The position in sentences."""
    picture: PictureSchema
    stage: str
    score: NumbersSchema


class ReplayedPositionSchema(TypedDict):
    """A position that a text leads to."""

    ply: int
    """The number of moves and rolls that led to it."""
    position: str
    stage: str
    score: NumbersSchema


def position_to_json(state: State, ply: int) -> PositionSchema:
    """Return a match's position after ``ply`` moves and rolls."""
    return {
        "ply": ply,
        "position": str(state),
        "in_words": list(summarise(state)),
        "picture": picture_to_json(state.picture()),
        "stage": state.stage,
        "score": numbers_to_json(state.score),
    }


def replayed_position_to_json(state: State, ply: int) -> ReplayedPositionSchema:
    """Return a position that a text leads to after ``ply`` moves and rolls."""
    return {"ply": ply, "position": str(state), "stage": state.stage, "score": numbers_to_json(state.score)}
