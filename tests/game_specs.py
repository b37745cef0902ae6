"""Games registered otherwise for the length of a test."""

from dataclasses import replace
from typing import Any

import pytest

from rules_engine.registry import SPECS
from rules_engine.search import Budget

LEVELS = tuple(SPECS["streetsoccer"].strategies)
"""The keys of the levels of every game, the weakest first."""


def change_spec(monkeypatch: pytest.MonkeyPatch, key: str, **changes: Any) -> None:
    """Register a game with other strategies, or another engine."""
    monkeypatch.setitem(SPECS, key, replace(SPECS[key], **changes))


def limit_engines(monkeypatch: pytest.MonkeyPatch, budget: Budget) -> None:
    """Have all games judged within this budget."""
    for key, spec in SPECS.items():
        change_spec(monkeypatch, key, engine=spec.engine and replace(spec.engine, budget=budget))
