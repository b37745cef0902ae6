"""Read games of Paper Soccer from a text without playing them: tags, turns, results."""

import re
from dataclasses import dataclass, field
from typing import Final

from rules_engine.errors import InvalidNotation
from rules_engine.messages import shorten
from rules_engine.tags import TAG, read_value

UNDECIDED: Final = "*"
RESULTS: Final = ("1-0", "0-1", "1/2-1/2")
"""White has won, Black has won, nobody has."""

_PARTS = re.compile(
    r"(?:\s|\{[^}]*\}|;[^\n]*|\ufeff|[0-9]+\.+)*"
    rf"(?:(?P<tag>{TAG})"
    r"|(?P<result>1-0|0-1|1/2-1/2|\*)(?=\s|$)"
    r"|(?P<turn>[0-7]+)(?=[\s{;]|$)"
    r"|(?P<unknown>\S{1,20})"
    r"|\Z)"
)
"""A tag, a result or a turn, after the numbers and comments before it.

Possessive quantifiers would say that none of these is given back, but Python before 3.11.5 errs in them, and nothing is
given back as it is: whatever follows is at least unknown.
"""


@dataclass(slots=True)
class GameText:
    """One game: its tags, its turns in their order, and the result that stands after them, empty if nothing does."""

    tags: dict[str, str] = field(default_factory=dict)
    turns: list[str] = field(default_factory=list)
    closing: str = ""

    @property
    def results(self) -> tuple[str, ...]:
        """Return the results that the game names: the one after the turns, then another one in its tag."""
        named = (self.closing, self.tags.get("Result", ""))
        return tuple(dict.fromkeys(result for result in named if result in RESULTS))


def read_games(text: str) -> list[GameText]:
    """Return the games of a text, at least one.

    Numbers of turns (``12.``), comments in braces or after a semicolon, and line breaks are left out. A game begins
    with a tag after the turns of another, or with anything after its result. Raises ``InvalidNotation`` with the line.
    """
    games = [GameText()]
    for found in _PARTS.finditer(text):
        kind = found.lastgroup
        if kind is None:
            continue
        if games[-1].closing or (kind == "tag" and games[-1].turns):
            games.append(GameText())
        game = games[-1]
        if kind == "turn":
            game.turns.append(found[kind])
        elif kind == "result":
            game.closing = found[kind]
        elif kind == "tag":
            if found[2] in game.tags:
                raise InvalidNotation("tag_twice", name=shorten(found[2])).within("on_line", line=_line_of(found, kind))
            game.tags[found[2]] = read_value(found[3])
        else:
            raise InvalidNotation("text_part_unknown", text=found[kind]).within("on_line", line=_line_of(found, kind))
    return games


def _line_of(found: re.Match[str], kind: str) -> int:
    """Return the number of the line on which a part stands: counted only for a refusal, because it takes time."""
    return found.string.count("\n", 0, found.start(kind)) + 1
