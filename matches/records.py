"""Write the record of a match: its tags and moves, to be read, kept and checked elsewhere."""

from __future__ import annotations

from matches.models import Match
from rules_engine.record import ACTORS, Move, Record
from rules_engine.values import BySide, Nature


def match_record(match: Match) -> Record:
    """Return the record of a match as far as it has come; times are in seconds.

    Once the match is over the tags hold its result, and by what everybody can check the dice: the seed, and the kinds
    of the rolls.
    """
    moves = tuple(Move(ACTORS[move.actor], move.text) for move in match.moves.all())
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
        **_result(match, moves),
    }
    return Record(tags, moves)


def _result(match: Match, moves: tuple[Move, ...]) -> dict[str, str]:
    outcome, points, seed = match.outcome, match.points, match.revealed_seed
    if outcome is None or points is None or seed is None:
        return {}
    return {
        "Score": _pair(outcome.score),
        "Winner": outcome.winner or "nobody",
        "Ending": outcome.ending,
        "Points": _pair(points),
        "Seed": seed.hex(),
        **_roll_kinds(match, moves),
    }


def _roll_kinds(match: Match, moves: tuple[Move, ...]) -> dict[str, str]:
    """Return what was rolled each time, in order, or once if it was always the same."""
    state, kinds = match.rules.start(), []
    for move in moves:
        if move.actor is Nature.CHANCE:
            kinds.append(next(roll.kind for roll in state.chance() if roll.text == move.text))
        state = state.play(move.text)
    return {"Rolls": " ".join(kinds if len(set(kinds)) > 1 else kinds[:1])} if kinds else {}


def _spent_seeds(match: Match) -> dict[str, str]:
    """Return the seeds that were shown before the match went on, each after the number of rolls until then."""
    spent = " ".join(f"{each.rolls}:{bytes(each.seed).hex()}" for each in match.spent_seeds.all())
    return {"SpentSeeds": spent} if spent else {}


def _pair(values: BySide[int]) -> str:
    return f"{values.yellow}-{values.red}"
