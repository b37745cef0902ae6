"""The registration of a game: everything that the rest of the project finds by the game's key."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from rules_engine.analysis import Engine
from rules_engine.protocol import Game, State

Strategy = Callable[[State], str]
"""Chooses what the side to act plays: a legal move, or several of the same turn joined.

Pure: the same state gives the same choice.
"""

DEFAULT_LEVEL: Final = "club"


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game with its presets, and how the computer plays and judges it.

    ``key`` is the ``family`` of the presets. Ratings, the rules (``docs/rules/<key>.md``) and the templates
    (``boards/<key>.html``) are found by it. ``strategies`` are by level, the weakest first: without any the computer
    does not play the game, and without an ``engine`` its matches are not analysed. Raises ``ValueError`` when a preset
    is of another family.
    """

    key: str
    title: str
    presets: tuple[Game, ...]
    strategies: Mapping[str, Strategy] = field(default_factory=dict)
    engine: Engine | None = None

    def __post_init__(self) -> None:
        if strangers := [preset.key for preset in self.presets if preset.family != self.key]:
            raise ValueError(f"these presets are not of the family {self.key}: {', '.join(strangers)}")
