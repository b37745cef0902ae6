"""The desk in JSON: what somebody organises, the consequences of acts, and outcomes of many."""

from collections.abc import Sequence
from typing import Any, Literal, TypedDict, cast

from tournaments.desk.selectors import Organised
from tournaments.desk.sentences import decision_sentence, interest_sentence
from tournaments.models import Interest
from tournaments.office.schemas import OrganisedFixtureSchema, RoleName, organised_fixture_to_json
from tournaments.pages.schemas.competition import CompetitionSchema, competition_to_json
from tournaments.pages.schemas.log_line import InterestName
from tournaments.rounds.services.consequences import Consequences


class ConsequencesSchema(TypedDict):
    """The consequences of an act if it were done now."""

    lost: list[OrganisedFixtureSchema]
    """The matches that would be annulled although somebody has moved in them: the act needs ``confirm``."""
    withdrawn: list[OrganisedFixtureSchema]
    """The matches that would be annulled in which nobody has moved."""
    overruled: list[OrganisedFixtureSchema]
    """The matches that would be decided although somebody has moved in them since: the act needs ``confirm``."""
    interest: InterestName | None
    """What you have to win or lose by the act, as the log will tell: see its lines. Null for nothing."""
    sentences: list[str]
    """The consequences, and your interest, as the act's page says them."""


def consequences_to_json(follows: Consequences, interest: Interest) -> ConsequencesSchema:
    """Return what would follow from an act of somebody with this interest in it."""
    return {
        "lost": [organised_fixture_to_json(each) for each in follows.lost],
        "withdrawn": [organised_fixture_to_json(each) for each in follows.withdrawn],
        "overruled": [organised_fixture_to_json(each) for each in follows.overruled],
        "interest": cast("InterestName | None", interest.value or None),
        "sentences": [*filter(None, [interest_sentence(interest)]), *follows.sentences],
    }


class RowOutcomeSchema(TypedDict):
    """The outcome for one match or player."""

    id: int
    name: str
    is_done: bool
    code: str | None
    """The code of the reason why it was refused; null if it was done."""
    detail: str
    """The same in a sentence; empty if it was done."""


class RowOutcomesSchema(TypedDict):
    """The outcomes, in the order of the request."""

    results: list[RowOutcomeSchema]


def outcomes_to_json(outcomes: Sequence[Any]) -> RowOutcomesSchema:
    """Return what became of each of several."""
    return {
        "results": [
            {
                "id": each.number,
                "name": each.name,
                "is_done": not each.code,
                "code": each.code or None,
                "detail": each.detail,
            }
            for each in outcomes
        ]
    }


DecisionName = Literal[
    "proposed-rounds",
    "disputes",
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
    """Of disputes, matches, accounts, entrants, players that lack, or invitations."""
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
