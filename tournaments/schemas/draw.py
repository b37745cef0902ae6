"""Draws of cups in JSON."""

from __future__ import annotations

from typing import TypedDict

from tournaments.pairing.elimination import fill_bracket
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
    """The pairs: in a knock-out those known before any match, in a round robin all."""


def draw_to_json(draw: Draw, *, is_kept: bool) -> DrawSchema:
    """Return a draw."""
    pairs: list[PairSchema] = [
        {"round": tie.round, "first": first.player.username, "second": second.player.username}
        for tie, (first, second) in fill_bracket(draw.ties, draw.entries, {}).items()
        if first is not None and second is not None
    ]
    pairs += [
        {"round": each.number, "first": pair.yellow.player.username, "second": pair.red.player.username}
        for each in draw.rounds
        for pair in each.pairs
    ]
    players = [entry.player.username for entry in draw.entries]
    return {"seed": draw.seed, "is_kept": is_kept, "players": players, "pairs": pairs}
