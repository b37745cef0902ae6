"""Soccer Tactics: 22 pawns, several dice, battles, and acts of both sides within one turn."""

from rules_engine.soccer_tactics.game import GAMES
from rules_engine.soccer_tactics.spec import SPEC

__all__ = ["GAMES", "SPEC"]
