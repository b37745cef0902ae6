"""The proof of a match's dice in JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TypedDict, cast

from matches.dice import prove
from matches.models import Match
from matches.selectors.replay import Stage


class RollSchema(TypedDict):
    """A roll and its proof."""

    number: int
    ply: int
    text: str
    message: str
    digest: str | None
    """Hexadecimal; null until the match is over."""
    holds: bool | None
    """Whether the digest gives this roll; null until the match is over."""


class DiceProofSchema(TypedDict):
    """Every roll of a match with its proof."""

    match: int
    commitment: str
    seed: str | None
    """Hexadecimal; null until the match is over."""
    rolls: list[RollSchema]


def dice_to_json(match: Match, stages: Iterable[Stage]) -> DiceProofSchema:
    """Return every roll of a match, given all its stages, with its proof, which is complete once the match is over."""
    seed = match.revealed_seed
    proofs = prove(seed, match.pk, (stage.played for stage in stages))
    return {
        "match": match.pk,
        "commitment": match.commitment,
        "seed": seed.hex() if seed else None,
        "rolls": [cast("RollSchema", asdict(proof)) for proof in proofs],
    }
