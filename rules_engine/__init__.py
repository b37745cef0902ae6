"""Rules of turn-based soccer board games. Standard library only: no Django, no clock, no randomness, no I/O.

The names here are all that a program needs to play. Each is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rules_engine.errors import IllegalMove, InvalidNotation
    from rules_engine.protocol import Game, State
    from rules_engine.record import Move, Record
    from rules_engine.record_formats import read_record, replay_record, write_record
    from rules_engine.registry import GAMES, find_strategy, get_game
    from rules_engine.values import Side

__all__ = [
    "GAMES",
    "Game",
    "IllegalMove",
    "InvalidNotation",
    "Move",
    "Record",
    "Side",
    "State",
    "find_strategy",
    "get_game",
    "read_record",
    "replay_record",
    "write_record",
]

_MODULES = {
    "errors": ("IllegalMove", "InvalidNotation"),
    "protocol": ("Game", "State"),
    "record": ("Move", "Record"),
    "record_formats": ("read_record", "replay_record", "write_record"),
    "registry": ("GAMES", "find_strategy", "get_game"),
    "values": ("Side",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Return a public name from the module that has it; raises ``AttributeError``."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    """Return the public names and what is imported already."""
    return sorted({*globals(), *__all__})
