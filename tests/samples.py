"""Parameters of which only some are worth the time: on both kinds of database, or each time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def sampled(values: Iterable[Any], *, on_both: Collection[Any] = (), usual: Collection[Any] | None = None) -> list[Any]:
    """Return the values for ``parametrize``: those ``on_both`` run on SQLite and on PostgreSQL, the others on SQLite.

    Where some are ``usual``, the others run with ``--thorough`` only.
    """
    return [value if value in on_both else pytest.param(value, marks=_marks(value, usual)) for value in values]


def _marks(value: Any, usual: Collection[Any] | None) -> list[pytest.MarkDecorator]:
    return [pytest.mark.once] if usual is None or value in usual else [pytest.mark.once, pytest.mark.thorough]
