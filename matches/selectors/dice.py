"""Queries for the dice of matches."""

from __future__ import annotations

from matches.dice import Spent
from matches.models import Match


def spent_seeds(match: Match) -> list[Spent]:
    """Return the seeds of a match that were shown before it went on, in order.

    One query, none outside of competitions: only organisers' decisions are taken back.
    """
    if match.competition is None:
        return []
    return [Spent(each.rolls, bytes.fromhex(each.seed), each.commitment) for each in match.spent_seeds.all()]
