"""How the computer plays StreetSoccer: it scores when it can, plays the ball towards the goal, and defends."""

from rules_engine.streetsoccer.strategy.choice import choose

__all__ = ["choose"]
