"""Challenges in JSON: whom a player can challenge, and what it would do."""

from __future__ import annotations

from typing import TypedDict

from formats.pairing.challenge import Prospect
from tournaments.entries.schemas.entry import RefusalSchema
from tournaments.records.challenges import ChallengeOption
from tournaments.running.sentences import prospect_text, refusal_sentence


class ProspectSchema(TypedDict):
    """The effect of one result of a game."""

    position: int
    """The challenger's position after it."""
    detail: str
    """The same in a sentence."""


class ProspectsSchema(TypedDict):
    """The effects of each result of a game on the challenger."""

    win: ProspectSchema
    draw: ProspectSchema
    loss: ProspectSchema
    timeout: ProspectSchema


class ChallengeOptionSchema(TypedDict):
    """Somebody whom the caller can challenge, or why not. Either ``obstacle`` or ``prospects`` is null."""

    opponent: str
    position: int
    obstacle: RefusalSchema | None
    prospects: ProspectsSchema | None


def challenge_option_to_json(option: ChallengeOption) -> ChallengeOptionSchema:
    """Return what a challenge would do, or why there can be none."""
    refusal, prospects = option.refusal, option.prospects
    return {
        "opponent": option.opponent.player.username,
        "position": option.position,
        "obstacle": {"code": refusal.obstacle.value, "detail": refusal_sentence(refusal)} if refusal else None,
        "prospects": {
            "win": _prospect_to_json(prospects.win),
            "draw": _prospect_to_json(prospects.draw),
            "loss": _prospect_to_json(prospects.loss),
            "timeout": _prospect_to_json(prospects.timeout),
        }
        if prospects
        else None,
    }


def _prospect_to_json(prospect: Prospect) -> ProspectSchema:
    return {"position": prospect.position, "detail": prospect_text(prospect)}
