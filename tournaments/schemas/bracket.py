"""Brackets of knock-outs in JSON."""

from __future__ import annotations

from typing import TypedDict

from tournaments.models import Entry
from tournaments.schemas.round import RoundSchema, round_to_json
from tournaments.selectors.brackets import RoundView, TieView
from tournaments.sentences import name_round


class TieSideSchema(TypedDict):
    """One of the two in a tie, with points and goals of all legs that are counted."""

    player: str | None
    """Null while nobody knows who."""
    seed: int | None
    points: int
    goals: int


class TieSchema(TypedDict):
    """A tie of a knock-out."""

    slot: int
    """The winners of slots 2n and 2n + 1 meet in slot n of the next round."""
    is_third_place: bool
    first: TieSideSchema
    second: TieSideSchema
    winner: str | None
    """Null while nobody has won it, and where it went to nobody."""
    decided_by: str | None
    """Null while it is open. By ``neither`` or ``not-played`` it went to nobody, by ``bye`` to who met nobody."""
    matches: list[int]


class BracketRoundSchema(RoundSchema):
    """A round of a bracket."""

    name: str
    ties: list[TieSchema]
    """Slots of byes are left out."""


class BracketSchema(TypedDict):
    """The bracket of a knock-out."""

    rounds: list[BracketRoundSchema]
    """Empty before the draw."""


def bracket_to_json(rounds: list[RoundView]) -> BracketSchema:
    """Return the bracket of a knock-out."""
    return {
        "rounds": [
            {
                **round_to_json(each.round),
                "name": name_round(each.round.number, len(rounds)),
                "ties": [
                    _tie_to_json(view) for view in (*each.ties, *([each.third_place] if each.third_place else []))
                ],
            }
            for each in rounds
        ]
    }


def _tie_to_json(view: TieView) -> TieSchema:
    tie = view.tie
    return {
        "slot": tie.slot,
        "is_third_place": tie.is_third_place,
        "first": _side_to_json(view, tie.first, 0),
        "second": _side_to_json(view, tie.second, 1),
        "winner": tie.winner.player.username if tie.winner else None,
        "decided_by": tie.decided_by or None,
        "matches": [leg.match_id for leg in view.legs if leg.match_id is not None],
    }


def _side_to_json(view: TieView, entry: Entry | None, index: int) -> TieSideSchema:
    return {
        "player": entry.player.username if entry else None,
        "seed": view.seeds[index],
        "points": view.points[index],
        "goals": view.goals[index],
    }
