"""What the services refuse. A refusal carries a stable code and a sentence, never an HTTP status."""

from typing import ClassVar


class DomainError(Exception):
    """The root of every refusal by a service; ``str(error)`` is a sentence for a person.

    ``code`` is stable: clients decide by it. ``fields`` gives sentences by the name of the field
    at fault, and is empty where the refusal concerns the whole request. ``wait`` says after how many
    seconds the same may be asked for again, where that is worth trying.
    """

    code: ClassVar[str] = "refused"

    def __init__(self, reason: str, *, fields: dict[str, list[str]] | None = None, wait: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fields = fields or {}
        self.wait = wait


class InvalidDetails(DomainError):
    """Details of an account or a token that cannot be taken; ``fields`` says which and why."""

    code = "invalid"

    def __init__(self, fields: dict[str, list[str]]) -> None:
        super().__init__(next(iter(fields.values()))[0], fields=fields)


class AlreadyTaken(DomainError):
    """Another player has this username."""

    code = "already_taken"


class AlreadySignedUp(DomainError):
    """Only a guest can be turned into a full player."""

    code = "already_signed_up"


class AccountClosed(DomainError):
    """The account of somebody who is needed for this is closed."""

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


class TooManyAttempts(DomainError):
    """Too much of one thing in too short a time."""

    code = "too_many_attempts"


class PasswordsBusy(DomainError):
    """So many passwords are being checked that this one was not: nobody knows whether it is right."""

    code = "passwords_busy"


class TokenNotFound(DomainError):
    """The player has no such token."""

    code = "not_found"


class InvalidDates(DomainError):
    """Days that cannot be planned: they have begun, lie too far ahead, or are in the wrong order."""

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
    """A link from a mail that is not ours, too old, or about something that is no longer so."""

    code = "invalid_link"


class NoAddressToConfirm(DomainError):
    """The player has no address, or has confirmed it."""

    code = "no_address_to_confirm"


class TooManyTokens(DomainError):
    """The player holds as many tokens as one may."""

    code = "too_many_tokens"


class InvalidIdempotencyKey(DomainError):
    """The key is too long or has characters that it may not have."""

    code = "invalid_idempotency_key"


class IdempotencyKeyReused(DomainError):
    """The key came with another request before."""

    code = "idempotency_key_reused"
