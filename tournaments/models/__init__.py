"""The rows of competitions: competitions, who entered them, who meets whom, tables, ratings and the log."""

from tournaments.models.competition import (
    ENDED,
    MAX_BEGIN_HOURS,
    MAX_CHECK_IN_MINUTES,
    MAX_PROTEST_HOURS,
    NOT_ENDED,
    NOT_STARTED,
    UPCOMING,
    Competition,
    CompetitionKind,
    CompetitionStatus,
    Cup,
    Ladder,
)
from tournaments.models.correction import Correction
from tournaments.models.dispute import Dispute
from tournaments.models.disqualification import Disqualification
from tournaments.models.entry import NOT_REPLACED, Entry, EntryStatus
from tournaments.models.fixture import (
    BY_DECISION,
    GOING_ON,
    MAX_ROUND,
    OF_PLAY,
    OF_TIES,
    SITTING,
    Annulment,
    Bye,
    ByeRequest,
    Fixture,
    Round,
    Tie,
    is_played_by,
)
from tournaments.models.forecast import Forecast
from tournaments.models.invitation import EntryInvitation, InvitationStatus
from tournaments.models.line_up import LineUp
from tournaments.models.log import LISTED, FormerText, Interest, LogEntry
from tournaments.models.note import Note
from tournaments.models.proposed_round import VERSION_LENGTH, ProposedRound, read_pairings, write_pairings
from tournaments.models.rating import RatingChange, RatingCount, RatingDue, RatingPool
from tournaments.models.role_invitation import RoleInvitation
from tournaments.models.series import Series, SeriesRhythm
from tournaments.models.stage import Group, RoundEnd, Seat, Seeding, Stage
from tournaments.models.standing import PlaceChange, Standing, TableSection
from tournaments.models.team import MembershipStatus, ShirtColour, ShirtPattern, Team, TeamMembership
from tournaments.models.title import Title, TitleName
from tournaments.models.waiting import AbsentPlayer, WaitingPlayer
