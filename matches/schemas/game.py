"""Games in JSON."""

from __future__ import annotations

from typing import TypedDict

from computers.levels import levels_in
from rules_engine.protocol import Game


class TextFormatSchema(TypedDict):
    """A text in which matches of a game are exchanged elsewhere."""

    key: str
    title: str


class GameSchema(TypedDict):
    """A game that can be played."""

    key: str
    family: str
    title: str
    has_computer: bool
    """True if it can be played against the computer."""
    levels: list[str]
    """The levels at which the computer plays, the weakest first."""
    texts: list[TextFormatSchema]
    """The texts, beside the record, in which its matches are exchanged."""


def game_to_json(game: Game) -> GameSchema:
    """Return a game that can be played."""
    levels = levels_in(game)
    return {
        "key": game.key,
        "family": game.family,
        "title": game.title,
        "has_computer": bool(levels),
        "levels": [str(level) for level in levels],
        "texts": [{"key": text.key, "title": text.title} for text in game.interchange],
    }
