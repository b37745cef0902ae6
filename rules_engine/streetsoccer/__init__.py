"""StreetSoccer: a dice football game of 25 minutes, ten figures and one ball."""

from rules_engine.streetsoccer.game import BOARD, ONLINE

__all__ = ["BOARD", "ONLINE"]
