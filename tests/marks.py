"""Parameters with a mark."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest


def nightly(values: Iterable[Any]) -> list[Any]:
    """Return parameters of the widest grids, which ``script/test`` leaves out."""
    return [pytest.param(value, marks=pytest.mark.nightly) for value in values]


def nightly_rows(rows: Iterable[Sequence[Any]]) -> list[Any]:
    """Return the same of several parameters at once."""
    return [pytest.param(*row, marks=pytest.mark.nightly) for row in rows]
