"""How the computer plays, game by game."""

from __future__ import annotations

from collections.abc import Callable

from rules_engine.protocol import Game, State
from rules_engine.streetsoccer import strategy as streetsoccer

Strategy = Callable[[State], str]
"""Chooses a legal move of the side to act. Pure: the same state gives the same move."""

STRATEGIES: dict[str, Strategy] = {"streetsoccer": streetsoccer.choose}
"""By family. A game without a strategy offers no computer."""


def find_strategy(game: Game) -> Strategy | None:
    """Return how the computer plays this game, ``None`` if it does not."""
    return STRATEGIES.get(game.family)
