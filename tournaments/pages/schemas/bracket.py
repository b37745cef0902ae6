"""Brackets in JSON."""

from collections.abc import Sequence
from typing import TypedDict

from formats.protocol import DrawnTie, FromSeed, Source
from tournaments.models import Entry
from tournaments.office.schemas import RoundSchema, TeamNameSchema, round_to_json, team_name_to_json
from tournaments.records.brackets import RoundView, TieOutline, TieView
from tournaments.rounds.sentences import name_column, name_rounds


class TieSourceSchema(TypedDict):
    """An earlier tie, and who of it comes into this one."""

    round: int
    part: str
    slot: int
    takes: str
    """The ``winner`` or the ``loser``."""


class TieSideSchema(TypedDict):
    """One of the two in a tie, with points and goals of all legs that are counted, of teams of all their boards."""

    player: str | None
    """Null while nobody knows who. Of a team, who entered it as its captain."""
    team: TeamNameSchema | None
    """Null for single players."""
    seed: int | None
    source: TieSourceSchema | None
    """Null for who stands here by the seed."""
    points: int
    boards_won: int | None
    """Null for single players."""
    goals: int


class TieSchema(TypedDict):
    """A tie of a bracket."""

    part: str
    """``main``, ``losers``, ``final``, ``reset`` (a second final) or ``third-place``."""
    slot: int
    """From 0, the top first, in each part of a round."""
    first: TieSideSchema
    second: TieSideSchema
    winner: str | None
    """Null while nobody has won it, and where it went to nobody. Of a team its name."""
    decided_by: str | None
    """Null while it is open. By ``neither`` or ``not-played`` it went to nobody, by ``bye`` to who met nobody."""
    by_decision: bool
    """True if somebody else than the players has decided on a result of it."""
    matches: list[int]
    """Of teams those at all boards, leg by leg."""


class BracketRoundSchema(RoundSchema):
    """A round of a bracket."""

    name: str
    ties: list[TieSchema]
    """The ties that are in the part of the bracket that the page has; slots of byes are left out."""


def bracket_to_json(rounds: Sequence[RoundView], outlines: Sequence[TieOutline]) -> list[BracketRoundSchema]:
    """Return rounds of a bracket, or of a part of it; the outlines are those of all its ties."""
    drawn = {each.pk: each.drawn for each in outlines}
    names = name_rounds(drawn.values())
    return [
        {
            **round_to_json(each.round),
            "name": name_column(names, each.round.number),
            "ties": [_tie_to_json(view, drawn[view.tie.pk]) for view in each.ties],
        }
        for each in rounds
    ]


def _tie_to_json(view: TieView, drawn: DrawnTie) -> TieSchema:
    tie = view.tie
    return {
        "part": tie.part,
        "slot": tie.slot,
        "first": _side_to_json(view, tie.first, 0, drawn.first),
        "second": _side_to_json(view, tie.second, 1, drawn.second),
        "winner": tie.winner.name if tie.winner else None,
        "decided_by": tie.decided_by or None,
        "by_decision": view.by_decision,
        "matches": [leg.match_id for leg in view.legs if leg.match_id is not None],
    }


def _side_to_json(view: TieView, entry: Entry | None, index: int, source: Source) -> TieSideSchema:
    return {
        "player": entry.player.username if entry else None,
        "team": team_name_to_json(entry.team) if entry else None,
        "seed": view.seeds[index],
        "source": _source_to_json(source),
        "points": view.points[index],
        "boards_won": view.boards[index] if entry is not None and entry.team_id is not None else None,
        "goals": view.goals[index],
    }


def _source_to_json(source: Source) -> TieSourceSchema | None:
    if isinstance(source, FromSeed):
        return None
    tie = source.tie
    return {"round": tie.round, "part": tie.part, "slot": tie.slot, "takes": source.outcome}
