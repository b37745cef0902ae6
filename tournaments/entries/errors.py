"""Refusals about entries."""

from tournaments.models.errors import EntryRefused
from web.errors import DomainError


class WrongCompetitionPassword(EntryRefused):
    """The competition asks for a password, and this is not it."""

    code = "wrong_competition_password"


class AlreadyWaiting(EntryRefused):
    """A player is on a waiting list once."""

    code = "already_waiting"


class CheckInNotOpen(DomainError):
    """Nobody can check in now, or the check-in cannot be opened."""

    code = "check_in_not_open"


class EntryOver(DomainError):
    """The entrant has left the competition already."""

    code = "entry_over"


class ByesNotInFormat(DomainError):
    """Nobody can sit out a round of a format whose rounds are not drawn one by one."""

    code = "byes_not_in_format"


class ByesNotOffered(DomainError):
    """The organisers have not let players ask for byes."""

    code = "byes_not_offered"


class ByeHad(DomainError):
    """Everybody has one bye on request at most."""

    code = "bye_had"


class NoByeRequest(DomainError):
    """The entrant has not asked for a bye, so there is nothing to take back."""

    code = "no_bye_request"


class RoundDrawn(DomainError):
    """The round has been drawn: the request comes too late."""

    code = "round_drawn"


class InvalidEntryList(DomainError):
    """A list of entrants that cannot be taken over; ``fields`` has the sentences by the number of the line."""

    code = "invalid_entry_list"


class LookupRefused(DomainError):
    """Guests and computers look up no usernames."""

    code = "lookup_refused"
