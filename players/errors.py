"""The refusals of the players' services."""

from web.errors import DomainError


class AlreadyTaken(DomainError):
    """Another player has this username, or had it, or one that looks like it, within a year."""

    code = "already_taken"


class AlreadySignedUp(DomainError):
    """Only a guest can be turned into a full player."""

    code = "already_signed_up"


class AccountClosed(DomainError):
    """A player who is needed for this has a closed account."""

    code = "account_closed"


class AccountErased(DomainError):
    """An account that was deleted is not opened again."""

    code = "account_erased"


class AccountNeeded(DomainError):
    """An account cannot be closed as long as something needs it."""

    code = "account_needed"


class WrongCredentials(DomainError):
    """No active player has this username with this password."""

    code = "wrong_credentials"


class PasswordNeeded(DomainError):
    """The password was given too long ago for what is asked for: it has to be given again."""

    code = "password_needed"


class TokenNotFound(DomainError):
    """The player has no such token."""

    code = "not_found"


class InvalidDates(DomainError):
    """The days cannot be planned: they have begun, lie too far ahead, or are in the wrong order."""

    code = "invalid_dates"


class NoVacationLeft(DomainError):
    """The player has not so many days of vacation left in a year."""

    code = "no_vacation_left"


class DayNotPlanned(DomainError):
    """The player has planned no such day."""

    code = "not_found"


class DayHasBegun(DomainError):
    """A day of vacation that has begun is spent."""

    code = "vacation_has_begun"


class InvalidLink(DomainError):
    """The link is not from a mail of this site, too old, or out of date."""

    code = "invalid_link"


class NoEmailToConfirm(DomainError):
    """The player has no e-mail, or has confirmed it."""

    code = "no_email_to_confirm"


class TooManyTokens(DomainError):
    """The player holds as many tokens as one may."""

    code = "too_many_tokens"
