"""Draws of cups in JSON."""

from __future__ import annotations

from typing import TypedDict

from tournaments.formats.protocol import FromSeed
from tournaments.services.cups.draws import Draw


class PairSchema(TypedDict):
    """Two who meet, the upper one of a bracket or Yellow first."""

    round: int
    first: str
    second: str


class DrawSchema(TypedDict):
    """A draw."""

    seed: int
    """The seed that gives the same draw again."""
    is_kept: bool
    """False for a draw that is only shown."""
    players: list[str]
    """In the order of their seeds."""
    pairs: list[PairSchema]
    """The pairs that are known before any match."""


def draw_to_json(draw: Draw, *, is_kept: bool) -> DrawSchema:
    """Return a draw."""
    players = [entry.player.username for entry in draw.entries]
    pairs: list[PairSchema] = [
        {"round": tie.key.round, "first": players[tie.first.seed - 1], "second": players[tie.second.seed - 1]}
        for tie in draw.ties
        if isinstance(tie.first, FromSeed) and isinstance(tie.second, FromSeed)
    ]
    pairs += [
        {"round": each.number, "first": pair.sides.yellow.player.username, "second": pair.sides.red.player.username}
        for each in draw.rounds
        for pair in each.pairs
    ]
    return {"seed": draw.seed, "is_kept": is_kept, "players": players, "pairs": pairs}
