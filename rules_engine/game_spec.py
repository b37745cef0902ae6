"""The registration of a game: everything that the rest of the project finds by the game's key."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from rules_engine.analysis import Engine
from rules_engine.protocol import Game, State
from rules_engine.values import Ending

Strategy = Callable[[State], str]
"""Chooses what the side to act plays: a legal move, or several of the same turn joined.

Pure: the same state gives the same choice, and the same seed if it has one.
"""

DEFAULT_LEVEL: Final = "club"


Passing = Callable[[State, State], bool]
"""Tells from a position, and the one after the next move or roll, whether a match has come to something."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """Something that matches of a preset may come to: an ending, or what a rare rule brings.

    ``game`` is the preset's key. From ``position`` it is a few moves and rolls away, and a random match comes to it
    once in a hundred times or more often.
    """

    game: str
    name: str
    position: str
    is_passed: Passing


def ended_by(ending: Ending) -> Passing:
    """Return what tells that a match has ended in this way."""
    return lambda _before, after: after.outcome is not None and after.outcome.ending is ending


@dataclass(frozen=True, slots=True)
class GameSpec:
    """One game with its presets, and how the computer plays and judges it.

    ``key`` is the ``family`` of the presets. Ratings, the rules (``docs/rules/<key>.md``) and the templates
    (``boards/<key>.html``) are found by it. ``strategies`` are by level, the weakest first: without any the computer
    does not play the game, and without an ``engine`` its matches are not analysed. ``milestones`` are what each preset
    may come to, every ending by the rules among them: whoever tries all games plays matches through them. Raises
    ``ValueError`` when a preset is of another family.
    """

    key: str
    title: str
    presets: tuple[Game, ...]
    strategies: Mapping[str, Strategy] = field(default_factory=dict)
    engine: Engine | None = None
    milestones: tuple[Milestone, ...] = ()

    def __post_init__(self) -> None:
        if strangers := [preset.key for preset in self.presets if preset.family != self.key]:
            raise ValueError(f"these presets are not of the family {self.key}: {', '.join(strangers)}")
