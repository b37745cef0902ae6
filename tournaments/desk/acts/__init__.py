"""The acts of organisers: each is declared once, and pages, admin and API are made of it.

``of_competitions``, ``of_entries`` and ``of_fixtures`` have the acts, ``kinds`` what they are done to, ``act`` what an
act is made of, ``inputs`` what acts ask for, ``bulk`` how they are done to several at once. ``CONTRIBUTING.md`` tells
how to add one.
"""

from typing import Any

from tournaments.desk.acts.act import Act, Kind
from tournaments.desk.acts.kinds import (
    ANNOUNCEMENT,
    COMPETITION,
    ENTRY,
    FIXTURE,
    INVITATION,
    LOG_LINE,
    PROPOSED_ROUND,
    ROUND,
    WAITING,
    was_played,
)
from tournaments.desk.acts.of_competitions import COMPETITION_ACTS
from tournaments.desk.acts.of_entries import ENTRY_ACTS
from tournaments.desk.acts.of_fixtures import FIXTURE_ACTS, PROPOSED_ROUND_ACTS
from tournaments.models import Competition
from tournaments.models.rights import Right

ACTS: tuple[Act, ...] = (*COMPETITION_ACTS, *ENTRY_ACTS, *FIXTURE_ACTS, *PROPOSED_ROUND_ACTS)
"""All acts, in the order in which pages offer them."""


def get_act(path: str, name: str) -> Act | None:
    """Return the act with this name on the kind with this path in URLs."""
    return next((act for act in ACTS if (act.on.path, act.name) == (path, name)), None)


def acts_on(kind: Kind, competition: Competition, subject: Any, rights: frozenset[Right]) -> list[Act]:
    """Return the acts that are offered on something in a competition to who has these rights to it."""
    return [act for act in ACTS if act.on is kind and act.is_offered(competition, subject, rights)]


def bulk_acts_on(kind: Kind, competition: Competition, rights: frozenset[Right]) -> list[Act]:
    """Return the acts that are offered on several of a kind at once, whatever each of them allows."""
    acts = [act for act in ACTS if act.on is kind and act.bulk is not None and kind.needs in rights]
    return [act for act in acts if (act.when or act.on.is_open)(competition)]
