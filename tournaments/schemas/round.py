"""Rounds of cups in JSON."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from tournaments.models import Round


class RoundSchema(TypedDict):
    """A round of a cup."""

    number: int
    """From 1."""
    started_at: datetime | None
    ends_at: datetime | None
    """When it must end, null for no date."""
    ended_at: datetime | None


def round_to_json(round_: Round) -> RoundSchema:
    """Return a round's number and dates."""
    return {
        "number": round_.number,
        "started_at": round_.started_at,
        "ends_at": round_.ends_at,
        "ended_at": round_.ended_at,
    }
