"""What the tournaments' tests share."""

from __future__ import annotations

import pytest
from pytest_django.fixtures import SettingsWrapper


@pytest.fixture(autouse=True)
def no_vacation(settings: SettingsWrapper) -> None:
    """Clocks run out when they run out, unless a test asks for vacation."""
    settings.VACATION_DAYS = 0
