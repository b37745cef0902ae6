"""What is stored of competitions: events, who entered them, who meets whom, tables, ratings and the log."""

from tournaments.models.cup import Cup, CupFormat, RoundEnd, Seeding
from tournaments.models.entry import Entry, EntryStatus
from tournaments.models.event import ENDED, NOT_STARTED, Event, EventStatus
from tournaments.models.fixture import Fixture, Round, Tie
from tournaments.models.ladder import Ladder, LadderSystem
from tournaments.models.log import LogEntry
from tournaments.models.rating import RatingChange, RatingDue, RatingPool
from tournaments.models.standing import PlaceChange, Standing

__all__ = [
    "ENDED",
    "NOT_STARTED",
    "Cup",
    "CupFormat",
    "Entry",
    "EntryStatus",
    "Event",
    "EventStatus",
    "Fixture",
    "Ladder",
    "LadderSystem",
    "LogEntry",
    "PlaceChange",
    "RatingChange",
    "RatingDue",
    "RatingPool",
    "Round",
    "RoundEnd",
    "Seeding",
    "Standing",
    "Tie",
]
