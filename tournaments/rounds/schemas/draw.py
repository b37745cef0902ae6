"""Draws of cups in JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from formats.protocol import FromSeed
from tournaments.rounds.services.draws import Draw
from tournaments.rounds.services.group_draws import DrawnGroup


class PairSchema(TypedDict):
    """Two who meet, the upper one of a bracket or Yellow first."""

    group: str
    """The letter of the group."""
    round: int
    first: str
    second: str


class DrawnGroupSchema(TypedDict):
    """The players of a group."""

    letter: str
    players: list[str]
    """In the order of their seeds in the group."""


class DrawSchema(TypedDict):
    """A draw."""

    seed: int
    """The seed that gives the same draw again."""
    is_kept: bool
    """False for a draw that is only shown."""
    players: list[str]
    """In the order of their seeds."""
    groups: list[DrawnGroupSchema]
    """One where the first stage has no groups."""
    pairs: list[PairSchema]
    """The pairs that are known before any match."""


def draw_to_json(draw: Draw, *, is_kept: bool) -> DrawSchema:
    """Return a draw."""
    return {
        "seed": draw.seed,
        "is_kept": is_kept,
        "players": [entry.name for entry in draw.entries],
        "groups": [
            {"letter": group.letter, "players": [entry.name for entry in group.entries]} for group in draw.groups
        ],
        "pairs": [pair for group in draw.groups for pair in _pairs_of(group)],
    }


def _pairs_of(group: DrawnGroup) -> Iterator[PairSchema]:
    names = [entry.name for entry in group.entries]
    for tie in group.ties:
        if isinstance(tie.first, FromSeed) and isinstance(tie.second, FromSeed):
            first, second = names[tie.first.seed - 1], names[tie.second.seed - 1]
            yield {"group": group.letter, "round": tie.key.round, "first": first, "second": second}
    for each in group.rounds:
        for pair in each.pairs:
            yellow, red = pair.sides.map(lambda entry: entry.name)
            yield {"group": group.letter, "round": each.number, "first": yellow, "second": red}
