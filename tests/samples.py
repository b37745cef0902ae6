"""Parameters of which only some are worth the time on both kinds of database."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def sampled(values: Iterable[Any], *, on_both: Collection[Any]) -> list[Any]:
    """Return the values for ``parametrize``: all of them run on SQLite, those ``on_both`` on PostgreSQL as well."""
    return [value if value in on_both else pytest.param(value, marks=pytest.mark.once) for value in values]
