"""The acts of organisers: each is declared once, and pages, admin and API are made of it.

``table`` has all acts, ``act`` what an act is made of, ``inputs`` what acts ask for. ``docs/developing.md`` tells how
to add one.
"""

from tournaments.acts.act import Act, Kind
from tournaments.acts.table import ACTS, COMPETITION, ENTRY, FIXTURE, ROUND, acts_on, get_act, was_played

__all__ = ["ACTS", "COMPETITION", "ENTRY", "FIXTURE", "ROUND", "Act", "Kind", "acts_on", "get_act", "was_played"]
