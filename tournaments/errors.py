"""What the tournaments' services refuse."""

from __future__ import annotations

from players.errors import DomainError

NO_EVENT = "There is no such event."
"""What is said of a draft as of nothing, whatever kind of event was asked for."""


class EventNotFound(DomainError):
    """There is no such event."""

    code = "not_found"


class EntryNotFound(DomainError):
    """Nobody has entered the event under this name or number."""

    code = "not_found"


class NotAnOrganiser(DomainError):
    """Only the organisers of an event organise it."""

    code = "not_an_organiser"


class WrongEventStatus(DomainError):
    """The event has not come so far, or has gone too far, for this."""

    code = "wrong_event_status"


class EventPaused(DomainError):
    """The clocks of the event stand still already."""

    code = "event_paused"


class EventNotPaused(DomainError):
    """The clocks of the event run."""

    code = "event_not_paused"


class TooFewEntrants(DomainError):
    """A cup needs two entrants."""

    code = "too_few_entrants"


class InvalidSeeding(DomainError):
    """An order of seeds that names strangers, or somebody twice."""

    code = "invalid_seeding"


class EntryRefused(DomainError):
    """Somebody may not enter an event; each reason is a class of its own."""

    code = "entry_refused"


class EntrantClosed(EntryRefused):
    """The account of whoever is to enter is closed."""

    code = "account_closed"


class AlreadyEntered(EntryRefused):
    """A player enters an event once."""

    code = "already_entered"


class EntryClosed(EntryRefused):
    """The event takes no entries now."""

    code = "entry_closed"


class EventFull(EntryRefused):
    """All places are taken."""

    code = "event_full"


class RatingOutOfLimits(EntryRefused):
    """The player's rating is outside of the event's limits."""

    code = "rating_out_of_limits"


class GuestsNotAdmitted(EntryRefused):
    """A rated event is for players with an account."""

    code = "guests_not_admitted"


class ComputersNotAdmitted(EntryRefused):
    """The event is for people only."""

    code = "computers_not_admitted"


class WrongEventPassword(EntryRefused):
    """The event asks for a password, and this is not it."""

    code = "wrong_event_password"


class EntryOver(DomainError):
    """The entrant has left the event already."""

    code = "entry_over"


class ChallengeRefused(DomainError):
    """A challenge that the ladder does not allow; ``obstacle`` is the reason's own stable code."""

    code = "challenge_refused"

    def __init__(self, reason: str, *, obstacle: str) -> None:
        super().__init__(reason)
        self.obstacle = obstacle


class FixtureNotFound(DomainError):
    """The event has no such fixture."""

    code = "not_found"


class RoundNotFound(DomainError):
    """The cup has no such round."""

    code = "not_found"


class ResultStands(DomainError):
    """The fixture has its result, or was annulled: what was wanted comes too late."""

    code = "result_stands"


class NoResult(DomainError):
    """The fixture has not been played, so there is nothing to take back."""

    code = "no_result"


class TieNeedsResult(DomainError):
    """A tie of a knock-out cannot do without one of its matches."""

    code = "tie_needs_result"


class NextTieBegun(DomainError):
    """What a tie decided is being played on already."""

    code = "next_tie_begun"


class ClockFull(DomainError):
    """The clock holds as much as it may."""

    code = "clock_full"


class InvalidEntryList(DomainError):
    """A list of entrants that cannot be taken over; ``fields`` has the sentences by the number of the line."""

    code = "invalid_entry_list"


class InvalidRoundDate(DomainError):
    """A date by which a round cannot be let end; ``fields`` says why."""

    code = "invalid_round_date"


class ExportNotFound(DomainError):
    """An event is not to be had in this form."""

    code = "not_found"
