"""StreetSoccer's registration."""

from typing import Final

from rules_engine.analysis import Engine
from rules_engine.game_spec import GameSpec
from rules_engine.search import Budget, Searcher
from rules_engine.streetsoccer.game import BOARD, ONLINE
from rules_engine.streetsoccer.milestones import list_milestones
from rules_engine.streetsoccer.strategy import LEVELS, VIEW, place

SPEC: Final = GameSpec(
    key="streetsoccer",
    title="StreetSoccer",
    presets=(BOARD, ONLINE),
    strategies={level.key: Searcher(level, place) for level in LEVELS},
    engine=Engine("streetsoccer 3", VIEW, Budget(nodes=20_000, depth=2, breadth=(6, 6))),
    milestones=tuple(milestone for game in (BOARD, ONLINE) for milestone in list_milestones(game)),
)
