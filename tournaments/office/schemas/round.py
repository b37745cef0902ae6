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
    """The moment when it must end, null for no date."""
    ended_at: datetime | None


class RoundWithByesSchema(RoundSchema):
    """A round of a cup, and who has a bye in it."""

    byes: list[str]
    """Players without an opponent. In a bracket, byes are in no round: a player with a bye stands in the next tie."""
    asked_byes: list[str]
    """The players with a bye who asked to sit the round out."""


def round_to_json(round_: Round) -> RoundSchema:
    """Return a round's number and dates."""
    return {
        "number": round_.number,
        "started_at": round_.started_at,
        "ends_at": round_.ends_at,
        "ended_at": round_.ended_at,
    }


def organised_round_to_json(round_: Round) -> RoundSchema:
    """Return a round as it is stored now."""
    round_.refresh_from_db(fields=["started_at", "ends_at", "ended_at"])
    return round_to_json(round_)


def round_with_byes_to_json(round_: Round) -> RoundWithByesSchema:
    """Return a round that was read ``with_byes``."""
    byes = {bye.seat.entry.name: bye.is_asked for bye in round_.byes.all()}
    return {
        **round_to_json(round_),
        "byes": list(byes),
        "asked_byes": [name for name, is_asked in byes.items() if is_asked],
    }
