"""Refusals about entering, challenges and what is due."""

from tournaments.models.errors import EntryRefused
from web.errors import DomainError


class LastSeasonRunning(DomainError):
    """A season starts when the one before has ended."""

    code = "last_season_running"


class EntrantClosed(EntryRefused):
    """The account of the player to enter is closed."""

    code = "account_closed"


class AlreadyEntered(EntryRefused):
    """A player enters a competition once."""

    code = "already_entered"


class EntryClosed(EntryRefused):
    """The competition takes no entries now."""

    code = "entry_closed"


class CompetitionFull(EntryRefused):
    """All places are taken."""

    code = "competition_full"


class RatingOutOfLimits(EntryRefused):
    """The player's rating is outside of the competition's limits."""

    code = "rating_out_of_limits"


class GuestsNotAdmitted(EntryRefused):
    """A rated competition is for players with an account."""

    code = "guests_not_admitted"


class ComputersNotAdmitted(EntryRefused):
    """This competition is only for people."""

    code = "computers_not_admitted"


class Disqualified(EntryRefused):
    """The player was disqualified, and no organiser has let them in again."""

    code = "disqualified"


class LastRoundDrawn(EntryRefused):
    """Nobody who enters now would play: the last round is drawn."""

    code = "last_round_drawn"


class NotInvited(EntryRefused):
    """Only invited players enter this competition."""

    code = "not_invited"


class PlacesFree(EntryRefused):
    """There is a place, so there is nothing to wait for."""

    code = "places_free"


class NotWaiting(DomainError):
    """The player is not on the waiting list."""

    code = "not_found"


class ChallengeRefused(DomainError):
    """A challenge that the ladder does not allow; ``obstacle`` is the reason's own stable code."""

    code = "challenge_refused"

    def __init__(self, reason: str, *, obstacle: str) -> None:
        super().__init__(reason)
        self.obstacle = obstacle


class TeamsOnly(EntryRefused):
    """Teams enter this competition, and nobody alone."""

    code = "teams_only"


class SinglePlayersOnly(EntryRefused):
    """Players enter this competition, and no teams."""

    code = "single_players_only"
