"""The computer's levels in Paper Soccer."""

from typing import Final

from rules_engine.paper_soccer.strategy.view import PaperSoccerView
from rules_engine.search import Budget, Level

VIEW: Final = PaperSoccerView(bounces=150, foresight=True)

LEVELS: Final = (
    Level("beginner", Budget(nodes=2_000, depth=1), PaperSoccerView(bounces=20)),
    Level("club", Budget(nodes=10_000, depth=2, breadth=(12, 12)), PaperSoccerView(bounces=60)),
    Level("strong", Budget(nodes=130_000, depth=8, breadth=(16, 10, 8)), VIEW),
)
