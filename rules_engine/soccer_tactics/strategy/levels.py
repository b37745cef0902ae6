"""The computer's levels in Soccer Tactics."""

from typing import Final

from rules_engine.search import Budget, Level
from rules_engine.soccer_tactics.strategy.evaluation import Sight
from rules_engine.soccer_tactics.strategy.view import SoccerTacticsView

VIEW: Final = SoccerTacticsView(width=40)

LEVELS: Final = (
    Level("beginner", Budget(nodes=1_000, depth=1), SoccerTacticsView(width=6, sight=Sight.BALL)),
    Level("club", Budget(nodes=1_000, depth=1), SoccerTacticsView(width=4, sight=Sight.SHOTS)),
    Level("strong", Budget(nodes=1_000, depth=1), VIEW),
)
