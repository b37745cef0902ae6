"""Rows of lists in JSON."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from database.isolation import attempt_each

Row = TypeVar("Row")
Schema = TypeVar("Schema")


def rows_to_json(rows: Iterable[Row], to_json: Callable[[Row], Schema]) -> list[Schema]:
    """Return the rows of a list in JSON; one that cannot be shown is logged and left out, and the others are shown."""
    return list(attempt_each(rows, to_json, event="row_not_shown", key="row"))
