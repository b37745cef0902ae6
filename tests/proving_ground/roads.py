"""Matches through everything that the registered games may come to: a game enters by its ``GameSpec.milestones``."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from rules_engine.game_spec import Milestone
from rules_engine.protocol import Game, State
from rules_engine.registry import GAMES, SPECS

NEAR = 3
"""The number of decisions within which a match comes to a milestone, if it does."""

BEYOND = 6
"""The number of decisions that are played after it."""


class StagedGame:
    """A preset whose matches begin in a position of its own. All the rest is the preset's."""

    def __init__(self, game: Game, position: str) -> None:
        self._game = game
        self._position = position

    def start(self) -> State:
        return self._game.read(self._position)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


@dataclass(frozen=True)
class Road:
    """A way to play a preset: from its start, or through a milestone."""

    game: Game
    milestone: Milestone | None = None

    def __str__(self) -> str:
        return f"{self.game.key} {self.milestone.name}" if self.milestone else self.game.key

    def lay(self, monkeypatch: pytest.MonkeyPatch) -> Game:
        """Have matches of the preset begin where the road does."""
        if self.milestone:
            monkeypatch.setitem(GAMES, self.game.key, StagedGame(self.game, self.milestone.position))
        return GAMES[self.game.key]

    def is_passed(self, states: Sequence[State]) -> bool:
        """Return whether states that follow each other have come to the milestone; without one, to the end."""
        if self.milestone is None:
            return states[-1].turn is None
        return any(self.milestone.is_passed(*pair) for pair in pairwise(states))


USUAL = {spec.presets[0].key for spec in SPECS.values()}
"""The presets that are always tried; the others of each game at night."""

ROADS = [
    *(Road(game) for game in GAMES.values()),
    *(Road(GAMES[milestone.game], milestone) for spec in SPECS.values() for milestone in spec.milestones),
]


def along(usual: Iterable[Road]) -> pytest.MarkDecorator:
    """Try these roads each time, and all others at night."""
    by_day = {*usual}
    params = [pytest.param(road, id=str(road), marks=[] if road in by_day else [pytest.mark.nightly]) for road in ROADS]
    return pytest.mark.parametrize("road", params)


roads = along(road for road in ROADS if road.game.key in USUAL)
whole_matches = along(road for road in ROADS if road.game.key in USUAL and road.milestone is None)


def choose_any(random: Random, state: State) -> str:
    """Return any legal move."""
    return random.choice(list(state.legal_moves()))
