"""How the computer plays, game by game and level by level."""

from __future__ import annotations

from collections.abc import Callable

from rules_engine.protocol import Game, State
from rules_engine.streetsoccer import strategy as streetsoccer

Strategy = Callable[[State], str]
"""Chooses a legal move of the side to act. Pure: the same state gives the same move."""

LEVELS: tuple[str, ...] = ("beginner", "club", "strong")
"""The levels' keys, the weakest first."""

DEFAULT_LEVEL = "club"

STRATEGIES: dict[str, dict[str, Strategy]] = {"streetsoccer": dict.fromkeys(LEVELS, streetsoccer.choose)}
"""By family and level. A game without strategies offers no computer."""


def find_strategy(game: Game, level: str = DEFAULT_LEVEL) -> Strategy | None:
    """Return how the computer plays this game at a level of ``LEVELS``, ``None`` if it does not."""
    return STRATEGIES.get(game.family, {}).get(level)
