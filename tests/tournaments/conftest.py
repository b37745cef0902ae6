"""What the tournaments' tests share."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(autouse=True)
def no_vacation(settings: Any) -> None:
    """Clocks run out when they run out, unless a test asks for vacation."""
    settings.VACATION_DAYS = 0
