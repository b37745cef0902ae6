"""Every game that can be played, by key."""

from __future__ import annotations

from rules_engine.errors import quote
from rules_engine.paper_soccer import FIRST_TO_THREE, ONE_POINT
from rules_engine.protocol import Game
from rules_engine.streetsoccer import BOARD, ONLINE

GAMES: dict[str, Game] = {game.key: game for game in (BOARD, ONLINE, FIRST_TO_THREE, ONE_POINT)}


def get_game(key: str) -> Game:
    """Return the game with this key; raises ``KeyError`` with a sentence that names the known keys."""
    try:
        return GAMES[key]
    except KeyError:
        raise KeyError(f"there is no game {quote(key)}; known are {', '.join(GAMES)}") from None
