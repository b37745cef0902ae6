"""How the computer plays, game by game and level by level."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rules_engine.paper_soccer import strategy as paper_soccer
from rules_engine.protocol import Game, State
from rules_engine.search import Searcher
from rules_engine.streetsoccer import strategy as streetsoccer

Strategy = Callable[[State], str]
"""Chooses what the side to act plays: a legal move, or several of the same turn joined.

Pure: the same state gives the same choice.
"""

LEVELS: tuple[str, ...] = ("beginner", "club", "strong")
"""The levels' keys, the weakest first."""

DEFAULT_LEVEL = "club"

STRATEGIES: dict[str, dict[str, Strategy]] = {
    "streetsoccer": {level.key: Searcher(level, streetsoccer.place) for level in streetsoccer.LEVELS},
    "paper-soccer": {level.key: Searcher(level) for level in paper_soccer.LEVELS},
}
"""By family and level. A game without strategies offers no computer."""


def find_strategy(
    game: Game, level: str = DEFAULT_LEVEL, *, out_of_time: Callable[[], bool] | None = None
) -> Strategy | None:
    """Return how the computer plays this game at a level of ``LEVELS``, ``None`` if it does not.

    ``out_of_time`` is asked now and then whether the thought must end; then the best move so far is played, and the
    choice depends on the machine's speed as well.
    """
    strategy = STRATEGIES.get(game.family, {}).get(level)
    if out_of_time and isinstance(strategy, Searcher):
        return replace(strategy, out_of_time=out_of_time)
    return strategy
