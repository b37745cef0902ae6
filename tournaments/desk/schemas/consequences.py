"""The consequences of an act, in JSON."""

from __future__ import annotations

from typing import TypedDict

from tournaments.office.schemas.fixture import OrganisedFixtureSchema, organised_fixture_to_json
from tournaments.rounds.services.consequences import Consequences


class ConsequencesSchema(TypedDict):
    """The consequences of an act if it were done now."""

    lost: list[OrganisedFixtureSchema]
    """The matches that would be annulled although somebody has moved in them: the act needs ``confirm``."""
    withdrawn: list[OrganisedFixtureSchema]
    """The matches that would be annulled in which nobody has moved."""
    sentences: list[str]
    """The consequences, as the act's page says them."""


def consequences_to_json(follows: Consequences) -> ConsequencesSchema:
    """Return what would follow from an act."""
    return {
        "lost": [organised_fixture_to_json(each) for each in follows.lost],
        "withdrawn": [organised_fixture_to_json(each) for each in follows.withdrawn],
        "sentences": follows.sentences,
    }
