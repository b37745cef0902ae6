"""How the computer plays StreetSoccer: what positions are worth, and how it sets up."""

from rules_engine.streetsoccer.strategy.formation import place
from rules_engine.streetsoccer.strategy.levels import LEVELS

__all__ = ["LEVELS", "place"]
