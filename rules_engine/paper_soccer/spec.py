"""Paper Soccer's registration."""

from typing import Final

from rules_engine.analysis import Engine
from rules_engine.game_spec import GameSpec
from rules_engine.paper_soccer.game import FIRST_TO_THREE, ONE_POINT
from rules_engine.paper_soccer.milestones import list_milestones
from rules_engine.paper_soccer.strategy import LEVELS, VIEW
from rules_engine.search import Budget, Searcher

SPEC: Final = GameSpec(
    key="paper-soccer",
    title="Paper Soccer",
    presets=(FIRST_TO_THREE, ONE_POINT),
    strategies={level.key: Searcher(level) for level in LEVELS},
    engine=Engine("paper-soccer 3", VIEW, Budget(nodes=60_000, depth=6, breadth=(12, 8, 6))),
    milestones=tuple(milestone for game in (FIRST_TO_THREE, ONE_POINT) for milestone in list_milestones(game)),
)
