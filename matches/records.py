"""Write the record of a match: its tags and moves, to be read, kept and checked elsewhere."""

from collections.abc import Iterable

from matches.dice import outcomes
from matches.models import Match
from matches.models import Move as StoredMove
from matches.selectors.take_backs import taken_back_turns
from rules_engine.record import ACTORS, Move, Record
from rules_engine.values import BySide, Nature


def match_record(match: Match) -> Record:
    """Return the record of a match as far as it has come; times are in seconds.

    Once the match is over the tags hold its result, and by what everybody can check the dice: the seed, and the kinds
    of the rolls.
    """
    stored = list(match.moves.all())
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
        **_plies("Drawn", stored, "is_drawn"),
        **_plies("ByItself", stored, "by_itself"),
        **_taken_back(match),
        **_result(match, stored),
    }
    return Record(tags, tuple(Move(ACTORS[move.actor], move.text) for move in stored))


def _result(match: Match, moves: Iterable[StoredMove]) -> dict[str, str]:
    outcome, points, seed = match.outcome, match.points, match.revealed_seed
    if outcome is None or points is None or seed is None:
        return {}
    return {
        "Score": _pair(outcome.score),
        "Winner": outcome.winner or "nobody",
        "Ending": outcome.ending,
        "Points": _pair(points),
        "Seed": seed,
        **_roll_kinds(match, moves),
    }


def _roll_kinds(match: Match, moves: Iterable[StoredMove]) -> dict[str, str]:
    """Return what was rolled or drawn each time, in order, or once if it was always the same."""
    state, kinds = match.rules.start(), []
    for move in moves:
        if move.is_drawn or state.turn is Nature.CHANCE:
            kinds.append(next(roll.kind for roll in outcomes(state) if roll.text == move.text))
        state = state.play(move.text)
    return {"Rolls": " ".join(kinds if len(set(kinds)) > 1 else kinds[:1])} if kinds else {}


def _spent_seeds(match: Match) -> dict[str, str]:
    """Return the seeds that were shown before the match went on, each after the number of rolls until then."""
    spent = " ".join(f"{each.rolls}:{each.seed}" for each in match.spent_seeds.all())
    return {"SpentSeeds": spent} if spent else {}


def _plies(tag: str, moves: Iterable[StoredMove], name: str) -> dict[str, str]:
    """Return the tag with the plies of the moves of which a column is true."""
    plies = " ".join(str(move.ply) for move in moves if getattr(move, name))
    return {tag: plies} if plies else {}


def _taken_back(match: Match) -> dict[str, str]:
    """Return the turns that were taken back, in that order: the ply of the first move, the side, and the moves."""
    turns = [
        " ".join((str(turn[0].ply), turn[0].actor, *(move.text for move in turn))) for turn in taken_back_turns(match)
    ]
    return {"TakenBack": " | ".join(turns)} if turns else {}


def _pair(values: BySide[int]) -> str:
    return f"{values.yellow}-{values.red}"
