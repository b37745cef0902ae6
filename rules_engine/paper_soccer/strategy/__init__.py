"""The computer's play of Paper Soccer: whole turns, and what positions are worth."""

from rules_engine.paper_soccer.strategy.levels import LEVELS, VIEW

__all__ = ["LEVELS", "VIEW"]
