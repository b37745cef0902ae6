"""The games that can be played here."""

from __future__ import annotations

from matches.errors import UnknownGame
from rules_engine.protocol import Game
from rules_engine.registry import GAMES


def find_game(key: str) -> Game:
    """Return the game with this key; raises ``UnknownGame`` with a sentence that names the known ones."""
    try:
        return GAMES[key]
    except KeyError:
        raise UnknownGame(f"There is no such game; there are {', '.join(sorted(GAMES))}.") from None
