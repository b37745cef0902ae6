"""The families of games: presets of one game share ratings."""

from __future__ import annotations

from rules_engine.registry import GAMES

FAMILIES: dict[str, str] = {game.family: game.title.partition(" (")[0] for game in GAMES.values()}
"""What people call each family, by its key."""
