"""Games of Paper Soccer in a text, as far as reading it goes without playing: tags, turns, results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from rules_engine.errors import InvalidNotation
from rules_engine.tags import TAG, read_value

UNDECIDED: Final = "*"
RESULTS: Final = ("1-0", "0-1", "1/2-1/2")
"""White has won, Black has won, nobody has."""

_PARTS = re.compile(
    rf"(?P<tag>{TAG})"
    r"|(?P<left_out>\s+|\{[^}]*\}|;[^\n]*|\ufeff|[0-9]+\.+)"
    r"|(?P<result>1-0|0-1|1/2-1/2|\*)(?=\s|$)"
    r"|(?P<turn>[0-7]+)(?=[\s{;]|$)"
)


@dataclass(slots=True)
class GameText:
    """One game: its tags, its turns in their order, and the result that stands after them, empty if nothing does."""

    tags: dict[str, str] = field(default_factory=dict)
    turns: list[str] = field(default_factory=list)
    closing: str = ""

    @property
    def result(self) -> str:
        """The result after the turns, or else by the tag; ``"*"`` where neither is one.

        Raises ``InvalidNotation`` when they contradict each other.
        """
        told = {text for text in (self.closing, self.tags.get("Result", "")) if text in RESULTS}
        if len(told) > 1:
            raise InvalidNotation(f"the result is {self.closing}, but the tag says {self.tags['Result']}")
        return told.pop() if told else UNDECIDED


def read_games(text: str) -> list[GameText]:
    """Return the games of a text, at least one.

    Numbers of turns (``12.``), comments in braces or after a semicolon, and line breaks are left out. A game begins
    with a tag after the turns of another, or with anything after its result. Raises ``InvalidNotation`` with the line.
    """
    games = [GameText()]
    for kind, part, line in _parts_of(text):
        if games[-1].closing or (kind == "tag" and games[-1].turns):
            games.append(GameText())
        game = games[-1]
        if kind == "turn":
            game.turns.append(part)
        elif kind == "result":
            game.closing = part
        else:
            name, value = part.split(" ", 1)
            if name in game.tags:
                raise InvalidNotation(f"line {line}: the tag {name} comes twice")
            game.tags[name] = value
    return games


def _parts_of(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the kind, the text and the line of all that matters; a tag's text is its name, a space and its value."""
    place = 0
    while place < len(text):
        found = _PARTS.match(text, place)
        line = text.count("\n", 0, place) + 1
        if not found:
            word = re.split(r"\s", text[place:], maxsplit=1)[0]
            raise InvalidNotation(f"line {line}: {word[:20]!r} is neither a tag nor a turn nor a result")
        place = found.end()
        if found["tag"]:
            yield "tag", f"{found[2]} {read_value(found[3])}", line
        elif kind := next((kind for kind in ("turn", "result") if found[kind]), ""):
            yield kind, found[kind], line
