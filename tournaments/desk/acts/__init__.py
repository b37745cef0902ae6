"""The acts of organisers: each is declared once, and pages, admin and API are made of it.

``of_competitions``, ``of_entries``, ``of_fixtures`` and ``of_proposed_rounds`` have the acts, ``table`` all of them,
``kinds`` what they are done to, ``act`` what an act is made of, ``inputs`` what acts ask for, ``bulk`` how they are
done to several at once. ``docs/developing.md`` tells how to add one.
"""

from tournaments.desk.acts.act import Act, Kind
from tournaments.desk.acts.kinds import (
    ANNOUNCEMENT,
    COMPETITION,
    ENTRY,
    FIXTURE,
    INVITATION,
    PROPOSED_ROUND,
    ROUND,
    WAITING,
    was_played,
)
from tournaments.desk.acts.table import ACTS, acts_on, bulk_acts_on, get_act

__all__ = [
    "ACTS",
    "ANNOUNCEMENT",
    "COMPETITION",
    "ENTRY",
    "FIXTURE",
    "INVITATION",
    "PROPOSED_ROUND",
    "ROUND",
    "WAITING",
    "Act",
    "Kind",
    "acts_on",
    "bulk_acts_on",
    "get_act",
    "was_played",
]
