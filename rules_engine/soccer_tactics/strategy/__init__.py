"""The computer's play of Soccer Tactics: what positions are worth, and which moves are worth a look."""

from rules_engine.soccer_tactics.strategy.levels import LEVELS, VIEW

__all__ = ["LEVELS", "VIEW"]
