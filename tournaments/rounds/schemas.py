"""Draws of cups, and rounds that wait for an organiser, in JSON."""

from collections.abc import Iterator
from datetime import datetime
from typing import Literal, TypedDict

from formats.protocol import FromSeed
from tournaments.models import ProposedRound
from tournaments.rounds.selectors import Notes, Proposal, ProposedBye, ProposedPair, read_proposal
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


WarningName = Literal["met-before", "second-bye", "side-again", "gone"]


class PairingWarningSchema(TypedDict):
    """Something that speaks against a pairing, and that nothing forbids."""

    warning: WarningName
    """The kind of the warning: the two have met before, somebody had a bye or won without playing before, plays a third
    match running on a side, or has left."""
    player: str


class ProposedPairSchema(TypedDict):
    """Two who would meet."""

    yellow: str
    red: str
    yellow_points: int
    """Points before this round."""
    red_points: int
    is_changed: bool
    """True if others than these two were drawn."""
    warnings: list[PairingWarningSchema]


class ProposedByeSchema(TypedDict):
    """Somebody who would have a bye."""

    player: str
    points: int
    is_asked: bool
    """True if the player has asked for it, and so cannot be swapped."""
    is_changed: bool
    warnings: list[PairingWarningSchema]


class ProposedRoundSchema(TypedDict):
    """A round that has been drawn and waits for an organiser."""

    stage: int
    group: int
    number: int
    drawn_at: datetime
    version: str
    """Tells these pairings from all others: publish by it what you have read."""
    is_edited: bool
    """True if the pairings differ from those that were drawn."""
    pairs: list[ProposedPairSchema]
    byes: list[ProposedByeSchema]
    missing: list[str]
    """Players who are in the competition and not in the round, as they came after it was drawn."""


def proposed_round_to_json(proposed: ProposedRound) -> ProposedRoundSchema:
    """Return a round that waits, and what speaks against its pairings. Reads these."""
    return proposal_to_json(read_proposal(proposed))


def proposal_to_json(proposal: Proposal) -> ProposedRoundSchema:
    """Return a round that waits, as it was read with what speaks against its pairings."""
    proposed = proposal.proposed
    return {
        "stage": proposed.group.stage.number,
        "group": proposed.group.number,
        "number": proposed.number,
        "drawn_at": proposed.drawn_at,
        "version": proposed.version,
        "is_edited": proposed.is_edited,
        "pairs": [_pair_to_json(pair) for pair in proposal.pairs],
        "byes": [_bye_to_json(bye) for bye in proposal.byes],
        "missing": [entry.player.username for entry in proposal.missing],
    }


def _pair_to_json(pair: ProposedPair) -> ProposedPairSchema:
    return {
        "yellow": pair.sides.yellow.player.username,
        "red": pair.sides.red.player.username,
        "yellow_points": pair.points.yellow,
        "red_points": pair.points.red,
        "is_changed": pair.is_changed,
        "warnings": _warnings_to_json(pair.warnings),
    }


def _bye_to_json(bye: ProposedBye) -> ProposedByeSchema:
    return {
        "player": bye.entry.player.username,
        "points": bye.points,
        "is_asked": bye.is_asked,
        "is_changed": bye.is_changed,
        "warnings": _warnings_to_json(bye.warnings),
    }


def _warnings_to_json(notes: Notes) -> list[PairingWarningSchema]:
    return [{"warning": warning.value, "player": entry.player.username} for warning, entry in notes]
