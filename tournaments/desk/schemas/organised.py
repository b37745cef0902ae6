"""Competitions that somebody organises or helps in, in JSON."""

from __future__ import annotations

from typing import Literal, TypedDict

from tournaments.desk.selectors import Organised
from tournaments.desk.sentences import decision_sentence
from tournaments.office.schemas.organisers import RoleName
from tournaments.pages.schemas.competition import CompetitionSchema, competition_to_json

DecisionName = Literal[
    "proposed-rounds",
    "late-matches",
    "closed-accounts",
    "paused",
    "full",
    "can-start",
    "checked-in",
    "cannot-start",
    "unanswered",
]


class DecisionSchema(TypedDict):
    """Something that waits for an organiser."""

    kind: DecisionName
    number: int
    """Of matches, accounts, entrants, players that lack, or invitations."""
    detail: str
    """The same in a sentence."""


class OwnOrganisedSchema(TypedDict):
    """A competition that the caller organises or helps in, and that has not ended."""

    competition: CompetitionSchema
    role: RoleName
    matches: int
    """The number of matches that go on."""
    checked_in: int | None
    """The number of those who have checked in, null while nobody can."""
    decisions: list[DecisionSchema]
    """The decisions that the caller may make."""


def own_organised_to_json(organised: Organised) -> OwnOrganisedSchema:
    """Return a competition to somebody who runs it, with what waits for them."""
    return {
        "competition": competition_to_json(organised.competition),
        "role": organised.role.value,
        "matches": organised.matches,
        "checked_in": organised.checked_in,
        "decisions": [
            {
                "kind": decision.value,
                "number": number,
                "detail": decision_sentence(decision, number, of_teams=organised.competition.boards is not None),
            }
            for decision, number in organised.decisions.items()
        ],
    }
