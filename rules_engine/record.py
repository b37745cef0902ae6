"""A match as it was played: tags, and every move in order."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from rules_engine.errors import InvalidNotation
from rules_engine.messages import Message, shorten
from rules_engine.tags import NAME
from rules_engine.values import Nature, Side

Actor = Side | Nature

ACTORS: Final[dict[str, Actor]] = {actor.value: actor for actor in (*Side, *Nature)}
"""The sides and chance, by name."""

_MOVE = re.compile(r"[^\s()\[\]]+")


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that happened: who did it, and its text in the game's notation."""

    actor: Actor
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """A whole match, or its beginning. The tag ``Game`` is the key in the registry; other tags are free."""

    tags: Mapping[str, str]
    moves: tuple[Move, ...] = field(default=())

    def __post_init__(self) -> None:
        for name, value in self.tags.items():
            if not NAME.fullmatch(name):
                raise InvalidNotation("tag_name", name=shorten(name))
            if not value.isprintable():
                raise InvalidNotation("tag_value", name=shorten(name))
        for move in self.moves:
            if not _MOVE.fullmatch(move.text):
                raise InvalidNotation("move_text", text=shorten(move.text))


@dataclass(frozen=True, slots=True)
class ReadText:
    """A match that was read from a text, and ``remarks``: sentences about what the text says that is not true of it."""

    record: Record
    remarks: tuple[Message, ...] = ()
