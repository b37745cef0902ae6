"""Fixtures of the tournaments' tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.samples import runs_every_sample

Steps = Callable[..., int]


@pytest.fixture(autouse=True)
def no_vacation(settings: Any) -> None:
    """Clocks run out when they run out, unless a test asks for vacation."""
    settings.VACATION_DAYS = 0


@pytest.fixture
def steps(pytestconfig: pytest.Config) -> Steps:
    """Return how long a random history is: so many steps with every sample, and ``few`` in a run of everything."""

    def choose(usual: int, *, few: int) -> int:
        return usual if runs_every_sample(pytestconfig) else few

    return choose
