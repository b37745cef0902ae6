"""The errors by which services of all apps refuse: a stable code and a sentence, never an HTTP status."""

from enum import StrEnum
from typing import ClassVar

from django.utils.functional import Promise


class DomainError(Exception):
    """The base class of all refusals by services; ``str(error)`` is a sentence for a person.

    ``code`` is stable: clients decide by it. ``fields`` has sentences by the name of the field at fault; it is empty if
    the refusal concerns the whole request. ``wait`` is the number of seconds after which the client may try again, if
    that makes sense.
    """

    code: ClassVar[str] = "refused"

    def __init__(
        self, reason: str | Promise, *, fields: dict[str, list[str]] | None = None, wait: int | None = None
    ) -> None:
        # A lazy sentence becomes text here, in the language of the request.
        self.reason = str(reason)
        super().__init__(self.reason)
        self.fields = fields or {}
        self.wait = wait


def fault_code(fault: StrEnum) -> str:
    """Return the code of a fault that a pure module has found, as the API writes codes."""
    return fault.replace("-", "_")


class InvalidDetails(DomainError):
    """Details of an account or a token are invalid; ``fields`` says which and why."""

    code = "invalid"

    def __init__(self, fields: dict[str, list[str]]) -> None:
        super().__init__(next(iter(fields.values()))[0], fields=fields)


class TooManyAttempts(DomainError):
    """The client has sent too many requests of one kind."""

    code = "too_many_attempts"


class BudgetSpent(TooManyAttempts):
    """The client has made as many rows or mails of one kind as it may in a time."""

    code = "budget_spent"


class PasswordsBusy(DomainError):
    """The password was not checked, because too many others are being checked."""

    code = "passwords_busy"


class InvalidIdempotencyKey(DomainError):
    """The key is too long or has characters that it may not have."""

    code = "invalid_idempotency_key"


class IdempotencyKeyReused(DomainError):
    """The key was used for another request before."""

    code = "idempotency_key_reused"
