"""StreetSoccer: a dice football game of 25 minutes, ten figures and one ball."""

from rules_engine.streetsoccer.game import BOARD, ONLINE
from rules_engine.streetsoccer.spec import SPEC

__all__ = ["BOARD", "ONLINE", "SPEC"]
