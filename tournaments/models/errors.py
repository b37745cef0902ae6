"""The refusals of the tournaments' services."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from django.utils.translation import gettext_lazy as _

from web.errors import DomainError, fault_code

NO_COMPETITION = _("There is no such competition.")
"""The refusal for a draft as for a competition that does not exist, no matter which kind was asked for."""


class CompetitionNotFound(DomainError):
    """There is no such competition."""

    code = "not_found"


class EntryNotFound(DomainError):
    """Nobody has entered the competition under this name or number."""

    code = "not_found"


class NotAnOrganiser(DomainError):
    """Only the organisers of a competition organise it."""

    code = "not_an_organiser"


class SeriesNotFound(DomainError):
    """There is no such series."""

    code = "not_found"


class SeriesRefused(DomainError):
    """A series cannot be made of this competition, or not be changed any more."""

    code = "series_refused"


class InvalidSeries(DomainError):
    """The options of a series cannot be so."""

    code = "invalid"


class LastSeasonRunning(DomainError):
    """A season starts when the one before has ended."""

    code = "last_season_running"


class CannotOrganise(DomainError):
    """Only a person with an open account runs a competition."""

    code = "cannot_organise"


class LastOrganiser(DomainError):
    """Nobody else would be left to organise the competition."""

    code = "last_organiser"


class TooManyOrganisers(DomainError):
    """The competition has as many organisers and helpers as it may have."""

    code = "too_many_organisers"


class MakingRefused(DomainError):
    """A player may not make a competition; each reason is a class of its own."""

    code = "making_refused"


class MakerClosed(MakingRefused):
    """The account of the player is closed."""

    code = "account_closed"


class MakerIsGuest(MakingRefused):
    """Guests make no competitions."""

    code = "guests_make_none"


class MakerIsComputer(MakingRefused):
    """Computers make no competitions."""

    code = "computers_make_none"


class EmailNotConfirmed(MakingRefused):
    """Nobody could reach the organiser: the player has not confirmed an e-mail."""

    code = "email_not_confirmed"


class NoFinishedMatch(MakingRefused):
    """The player has not played a match to its end."""

    code = "no_finished_match"


class TooManyUnfinished(MakingRefused):
    """Too many competitions that the player has made have not ended."""

    code = "too_many_unfinished_competitions"


class TooManyMade(MakingRefused):
    """The player has made too many competitions within a day."""

    code = "too_many_new_competitions"


class InvalidCompetition(DomainError):
    """Options that a competition cannot have; ``fields`` has the sentences by the option at fault."""

    code = "invalid"


class WrongCompetitionStatus(DomainError):
    """The competition has not come so far, or has gone too far, for this."""

    code = "wrong_competition_status"


class CompetitionPaused(DomainError):
    """The clocks of the competition stand still already."""

    code = "competition_paused"


class CompetitionNotPaused(DomainError):
    """The clocks of the competition run."""

    code = "competition_not_paused"


class TooFewEntrants(DomainError):
    """A cup needs two entrants."""

    code = "too_few_entrants"


class TooManyEntrants(DomainError):
    """More entrants than the groups of a stage can take."""

    code = "too_many_entrants"


class InvalidSeeding(DomainError):
    """An order of seeds that names strangers, or somebody twice: ``reason_code`` says for programs which.

    ``parameters`` has the ids of the strangers, the entries that are none of the competition's.
    """

    code = "invalid_seeding"

    def __init__(self, reason: str, *, fault: StrEnum, strangers: Iterable[str]) -> None:
        super().__init__(reason)
        self.reason_code = fault_code(fault)
        entries = [int(entry) for entry in strangers]
        self.parameters = {"entries": entries} if entries else {}


class EntryRefused(DomainError):
    """Somebody may not enter a competition; each reason is a class of its own."""

    code = "entry_refused"


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


class WrongCompetitionPassword(EntryRefused):
    """The competition asks for a password, and this is not it."""

    code = "wrong_competition_password"


class LastRoundDrawn(EntryRefused):
    """Nobody who enters now would play: the last round is drawn."""

    code = "last_round_drawn"


class NotInvited(EntryRefused):
    """Only invited players enter this competition."""

    code = "not_invited"


class AlreadyWaiting(EntryRefused):
    """A player is on a waiting list once."""

    code = "already_waiting"


class PlacesFree(EntryRefused):
    """There is a place, so there is nothing to wait for."""

    code = "places_free"


class CheckInNotOpen(DomainError):
    """Nobody can check in now, or the check-in cannot be opened."""

    code = "check_in_not_open"


class NotWaiting(DomainError):
    """The player is not on the waiting list."""

    code = "not_found"


class InvitationNotFound(DomainError):
    """The player was not invited to the competition."""

    code = "not_found"


class InvitationDeclined(DomainError):
    """The player has declined, and is not asked again."""

    code = "invitation_declined"


class InvitationOver(DomainError):
    """The invitation was withdrawn, or answered: the request comes too late."""

    code = "invitation_over"


class TooManyEntryInvitations(DomainError):
    """The organiser has invited too many players within a day."""

    code = "too_many_entry_invitations"


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


class ChallengeRefused(DomainError):
    """A challenge that the ladder does not allow; ``obstacle`` is the reason's own stable code."""

    code = "challenge_refused"

    def __init__(self, reason: str, *, obstacle: str) -> None:
        super().__init__(reason)
        self.obstacle = obstacle


class FixtureNotFound(DomainError):
    """The competition has no such fixture."""

    code = "not_found"


class GroupNotFound(DomainError):
    """The competition has no such stage, or the stage no such group."""

    code = "not_found"


class RoundNotFound(DomainError):
    """The cup has no such round."""

    code = "not_found"


class ResultStands(DomainError):
    """The fixture has its result, or was annulled: the request comes too late."""

    code = "result_stands"


class NoResult(DomainError):
    """The fixture has not been played, so there is nothing to take back."""

    code = "no_result"


class TieNeedsResult(DomainError):
    """A tie of a knock-out cannot do without one of its matches."""

    code = "tie_needs_result"


class MatchesWouldBeLost(DomainError):
    """Somebody has moved in matches that would be annulled; ``matches`` are their numbers."""

    code = "matches_would_be_lost"

    def __init__(self, reason: str, *, matches: list[int]) -> None:
        super().__init__(reason)
        self.matches = matches


class NotWithdrawn(DomainError):
    """The entrant has not been withdrawn, so there is nothing to take back."""

    code = "not_withdrawn"


class NothingToTakeBack(DomainError):
    """No organiser has decided this, or it was taken back already."""

    code = "nothing_to_take_back"


class EndedByResults(DomainError):
    """The competition ended with its last result: only what led to that can be taken back."""

    code = "ended_by_results"


class AnnouncementNotFound(DomainError):
    """The competition has no such announcement."""

    code = "not_found"


class TooManyPinned(DomainError):
    """The competition has as many pinned announcements as it may have."""

    code = "too_many_pinned"


class NoteNotFound(DomainError):
    """The competition has no such note."""

    code = "not_found"


class TooManyNotes(DomainError):
    """The organisers have kept as many notes as they may."""

    code = "too_many_notes"


class TooManyRows(DomainError):
    """More matches or players were chosen than are acted on at once."""

    code = "too_many_rows"


class OptionsChanged(DomainError):
    """Somebody has changed the options since they were read: the sentence says who and what."""

    code = "options_changed"


class PairingsChanged(DomainError):
    """The pairings that wait are others than those that were read."""

    code = "pairings_changed"


class CannotSwap(DomainError):
    """A player has no place in the round that could be another's."""

    code = "cannot_swap"


class ReasonMissing(DomainError):
    """An act that others have to understand needs a reason."""

    code = "reason_missing"


class ClockFull(DomainError):
    """The clock holds as much as it may."""

    code = "clock_full"


class InvalidStages(DomainError):
    """Stages of a competition that do not go together; ``fields`` has the sentences by the option at fault."""

    code = "invalid_stages"


class InvalidEntryList(DomainError):
    """A list of entrants that cannot be taken over; ``fields`` has the sentences by the number of the line."""

    code = "invalid_entry_list"


class InvalidRoundDate(DomainError):
    """A date by which a round cannot be let end; ``fields`` says why."""

    code = "invalid_round_date"


class ExportNotFound(DomainError):
    """A competition is not to be had in this form."""

    code = "not_found"


class LookupRefused(DomainError):
    """Guests and computers look up no usernames."""

    code = "lookup_refused"
