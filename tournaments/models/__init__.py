"""What is stored of competitions: competitions, who entered them, who meets whom, tables, ratings and the log."""

from tournaments.models.competition import ENDED, NOT_STARTED, Competition, CompetitionStatus
from tournaments.models.cup import Cup, CupFormat, RoundEnd, Seeding
from tournaments.models.entry import Entry, EntryStatus
from tournaments.models.fixture import Fixture, Round, Tie
from tournaments.models.ladder import Ladder, LadderSystem
from tournaments.models.log import LogEntry
from tournaments.models.rating import RatingChange, RatingDue, RatingPool
from tournaments.models.stage import Group, Seat, Stage
from tournaments.models.standing import PlaceChange, Standing

__all__ = [
    "ENDED",
    "NOT_STARTED",
    "Competition",
    "CompetitionStatus",
    "Cup",
    "CupFormat",
    "Entry",
    "EntryStatus",
    "Fixture",
    "Group",
    "Ladder",
    "LadderSystem",
    "LogEntry",
    "PlaceChange",
    "RatingChange",
    "RatingDue",
    "RatingPool",
    "Round",
    "RoundEnd",
    "Seat",
    "Seeding",
    "Stage",
    "Standing",
    "Tie",
]
