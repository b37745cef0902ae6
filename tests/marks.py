"""Parameters with a mark."""

from collections.abc import Iterable
from typing import Any

import pytest


def nightly(values: Iterable[Any]) -> list[Any]:
    """Return parameters of the widest grids, which ``script/test`` leaves out."""
    return [pytest.param(value, marks=pytest.mark.nightly) for value in values]
