"""The proof of a match's dice in JSON."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TypedDict, cast

from matches.dice import prove
from matches.models import Match
from matches.selectors.matches import spent_seeds
from matches.selectors.replay import Stage


class RollSchema(TypedDict):
    """A roll and its proof."""

    number: int
    ply: int
    text: str
    message: str
    digest: str | None
    """Hexadecimal; null until its seed is shown, when the match is over."""
    holds: bool | None
    """True if the digest gives this roll; null until the match is over."""


class SpentSeedSchema(TypedDict):
    """A seed that was shown when a decision had ended the match, before the decision was taken back."""

    rolls: int
    """The rolls before this number are the seed's, but for those of seeds before it."""
    commitment: str
    seed: str
    """Hexadecimal."""


class DiceProofSchema(TypedDict):
    """Every roll of a match with its proof."""

    match: int
    commitment: str
    seed: str | None
    """Hexadecimal; null until the match is over."""
    spent_seeds: list[SpentSeedSchema]
    """The seeds before this one, in order; none unless the match went on after a decision that was taken back."""
    rolls: list[RollSchema]


def dice_to_json(match: Match, stages: Iterable[Stage]) -> DiceProofSchema:
    """Return every roll of a match, given all its stages, with its proof, which is complete once the match is over."""
    seed = match.revealed_seed
    spent = spent_seeds(match)
    proofs = prove(None if seed is None else bytes.fromhex(seed), match.pk, (stage.played for stage in stages), spent)
    return {
        "match": match.pk,
        "commitment": match.commitment,
        "seed": seed,
        "spent_seeds": [
            {"rolls": each.rolls, "commitment": each.commitment, "seed": each.seed.hex()} for each in spent
        ],
        "rolls": [cast("RollSchema", asdict(proof)) for proof in proofs],
    }
