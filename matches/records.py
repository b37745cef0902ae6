"""Write the record of a match: its tags and moves, to be read, kept and checked elsewhere."""

from __future__ import annotations

from matches.models import Match
from rules_engine.record import ACTORS, Move, Record
from rules_engine.values import BySide


def match_record(match: Match) -> Record:
    """Return the record of a match as far as it has come; times are in seconds.

    Once the match is over the tags hold its result, and the seed by which everybody can check the dice.
    """
    tags = {
        "Game": match.game,
        "Match": str(match.pk),
        "Yellow": match.yellow.username,
        "Red": match.red.username,
        "Date": match.created_at.date().isoformat(),
        "Bank": str(match.time_bank),
        "Increment": str(match.time_increment),
        "Cap": str(match.time_cap),
        "Commitment": match.commitment,
        **_spent_seeds(match),
        **_result(match),
    }
    return Record(tags, tuple(Move(ACTORS[move.actor], move.text) for move in match.moves.all()))


def _result(match: Match) -> dict[str, str]:
    outcome, points, seed = match.outcome, match.points, match.revealed_seed
    if outcome is None or points is None or seed is None:
        return {}
    return {
        "Score": _pair(outcome.score),
        "Winner": outcome.winner or "nobody",
        "Ending": outcome.ending,
        "Points": _pair(points),
        "Seed": seed.hex(),
    }


def _spent_seeds(match: Match) -> dict[str, str]:
    """Return the seeds that were shown before the match went on, each after the number of rolls until then."""
    spent = " ".join(f"{each.rolls}:{bytes(each.seed).hex()}" for each in match.spent_seeds.all())
    return {"SpentSeeds": spent} if spent else {}


def _pair(values: BySide[int]) -> str:
    return f"{values.yellow}-{values.red}"
