"""The games that the tests of all games play: those that are registered, and Soccer Tactics, which is not yet."""

import pytest

from rules_engine import soccer_tactics
from rules_engine.registry import GAMES, SPECS

ALL_GAMES = {**GAMES, **{game.key: game for game in soccer_tactics.GAMES}}


@pytest.fixture
def register_all(monkeypatch):
    """Register every game while a test runs."""
    monkeypatch.setitem(SPECS, soccer_tactics.SPEC.key, soccer_tactics.SPEC)
    for key, game in ALL_GAMES.items():
        monkeypatch.setitem(GAMES, key, game)
