"""The computer's play of StreetSoccer: what positions are worth, and how it sets up."""

from rules_engine.streetsoccer.strategy.formation import place
from rules_engine.streetsoccer.strategy.levels import LEVELS, VIEW

__all__ = ["LEVELS", "VIEW", "place"]
