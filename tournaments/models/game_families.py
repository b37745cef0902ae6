"""The titles of games: presets of one game share ratings."""

from rules_engine.registry import SPECS

FAMILIES: dict[str, str] = {spec.key: spec.title for spec in SPECS.values()}
"""The title of each family, by its key."""
