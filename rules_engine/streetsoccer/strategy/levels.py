"""The computer's levels in StreetSoccer."""

from typing import Final

from rules_engine.search import Budget, Level
from rules_engine.streetsoccer.strategy.view import StreetSoccerView

VIEW: Final = StreetSoccerView()

LEVELS: Final = (
    Level("beginner", Budget(nodes=1_000, depth=1), StreetSoccerView(insight=0)),
    Level("club", Budget(nodes=1_000, depth=1), StreetSoccerView(insight=0.15)),
    Level("strong", Budget(nodes=20_000, depth=2, breadth=(12, 10)), VIEW),
)
