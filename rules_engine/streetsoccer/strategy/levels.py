"""The computer's levels in StreetSoccer."""

from __future__ import annotations

from typing import Final

from rules_engine.search import Budget, Level
from rules_engine.streetsoccer.strategy.evaluation import evaluate, evaluate_roughly
from rules_engine.streetsoccer.strategy.view import StreetSoccerView

VIEW: Final = StreetSoccerView(evaluate)

LEVELS: Final = (
    Level("beginner", "Beginner", Budget(nodes=1_000, depth=1), StreetSoccerView(evaluate_roughly)),
    Level("club", "Club player", Budget(nodes=1_000, depth=1), VIEW),
    Level("strong", "Strong player", Budget(nodes=20_000, depth=2, breadth=(10, 8)), VIEW),
)
