"""Soccer Tactics' registration."""

from typing import Final

from rules_engine.analysis import Engine
from rules_engine.game_spec import GameSpec
from rules_engine.search import Budget, Searcher
from rules_engine.soccer_tactics.game import GAMES
from rules_engine.soccer_tactics.milestones import list_milestones
from rules_engine.soccer_tactics.strategy import LEVELS, VIEW

SPEC: Final = GameSpec(
    key="soccer-tactics",
    title="Soccer Tactics",
    presets=GAMES,
    strategies={level.key: Searcher(level) for level in LEVELS},
    engine=Engine("soccer-tactics 2", VIEW, Budget(nodes=2_000, depth=1)),
    milestones=tuple(milestone for game in GAMES for milestone in list_milestones(game)),
)
