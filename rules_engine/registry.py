"""Every game that can be played, by key, with its presets, strategies and engine."""

from collections.abc import Callable
from dataclasses import replace

from rules_engine import paper_soccer, soccer_tactics, streetsoccer
from rules_engine.analysis import Engine
from rules_engine.game_spec import DEFAULT_LEVEL, GameSpec, Strategy
from rules_engine.messages import Message, shorten
from rules_engine.protocol import Game
from rules_engine.search import Searcher, never

SPECS: dict[str, GameSpec] = {spec.key: spec for spec in (streetsoccer.SPEC, paper_soccer.SPEC, soccer_tactics.SPEC)}
"""The games by ``GameSpec.key``, which is the ``family`` of their presets. The first is offered to newcomers."""

GAMES: dict[str, Game] = {preset.key: preset for spec in SPECS.values() for preset in spec.presets}
"""The presets of all games by ``Game.key``."""


def get_game(key: str) -> Game:
    """Return the preset with this key; raises ``KeyError`` with a sentence that names the known keys."""
    try:
        return GAMES[key]
    except KeyError:
        raise KeyError(Message("unknown_game", key=shorten(key), games=tuple(GAMES))) from None


def find_strategy(
    game: Game, level: str = DEFAULT_LEVEL, *, seed: str = "", out_of_time: Callable[[], bool] = never
) -> Strategy | None:
    """Return how the computer plays this game at a level, ``None`` if it does not.

    By the ``seed`` it varies among moves that are worth nearly the same; without one it plays the same everywhere.
    ``out_of_time`` is called now and then. If it says that the search must end, the best move so far is played, so the
    choice depends on the machine's speed too.
    """
    strategy = SPECS[game.family].strategies.get(level)
    if isinstance(strategy, Searcher):
        return replace(strategy, seed=seed, out_of_time=out_of_time)
    return strategy


def find_engine(game: Game) -> Engine | None:
    """Return the engine that judges this game's moves, ``None`` if its matches are not analysed."""
    return SPECS[game.family].engine
