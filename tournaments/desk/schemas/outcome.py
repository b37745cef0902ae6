"""Outcomes of acts on several matches or players, in JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict


class RowOutcomeSchema(TypedDict):
    """The outcome for one match or player."""

    id: int
    name: str
    is_done: bool
    code: str | None
    """The code of the reason why it was refused; null if it was done."""
    detail: str
    """The same in a sentence; empty if it was done."""


class RowOutcomesSchema(TypedDict):
    """The outcomes, in the order of the request."""

    results: list[RowOutcomeSchema]


def outcomes_to_json(outcomes: Sequence[Any]) -> RowOutcomesSchema:
    """Return what became of each of several."""
    return {
        "results": [
            {
                "id": each.number,
                "name": each.name,
                "is_done": not each.code,
                "code": each.code or None,
                "detail": each.detail,
            }
            for each in outcomes
        ]
    }
