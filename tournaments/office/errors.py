"""Refusals about who runs a competition, and what it has."""

from web.errors import DomainError


class EntryNotFound(DomainError):
    """Nobody has entered the competition under this name or number."""

    code = "not_found"


class NotAnOrganiser(DomainError):
    """Only the organisers of a competition organise it."""

    code = "not_an_organiser"


class CannotOrganise(DomainError):
    """Only a person with an open account runs a competition."""

    code = "cannot_organise"


class LastOrganiser(DomainError):
    """Nobody else would be left to organise the competition."""

    code = "last_organiser"


class TooManyOrganisers(DomainError):
    """The competition has as many organisers and helpers as it may have."""

    code = "too_many_organisers"


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


class FixtureNotFound(DomainError):
    """The competition has no such fixture."""

    code = "not_found"


class AnnouncementNotFound(DomainError):
    """The competition has no such announcement."""

    code = "not_found"


class LogTextNotFound(DomainError):
    """The competition's log has no such line with a text of an organiser that everybody can read."""

    code = "not_found"


class NotTakenDown(DomainError):
    """The text of this line of the log is still there."""

    code = "not_taken_down"


class TooManyPinned(DomainError):
    """The competition has as many pinned announcements as it may have."""

    code = "too_many_pinned"


class NoteNotFound(DomainError):
    """The competition has no such note."""

    code = "not_found"


class TooManyNotes(DomainError):
    """The organisers have kept as many notes as they may."""

    code = "too_many_notes"


class OptionsChanged(DomainError):
    """Somebody has changed the options since they were read: the sentence says who and what."""

    code = "options_changed"
