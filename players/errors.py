"""What the services refuse. A refusal carries a stable code and a sentence, never an HTTP status."""


class DomainError(Exception):
    """The root of every refusal by a service; ``str(error)`` is a sentence for a person.

    ``code`` is stable: clients decide by it. ``fields`` names the fields at fault, each with its
    sentences, and is empty where the refusal concerns the whole request.
    """

    code = "refused"

    def __init__(self, reason: str, fields: dict[str, list[str]] | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fields = fields or {}


class InvalidDetails(DomainError):
    """Account details or a token's details that cannot be taken; ``fields`` says which."""

    code = "invalid"


class NameTaken(DomainError):
    """Another player has this username or this e-mail address."""

    code = "name_taken"


class AlreadySignedUp(DomainError):
    """Only a guest can be turned into a full player."""

    code = "already_signed_up"


class TokenNotFound(DomainError):
    """The player has no such token."""

    code = "not_found"


class TooManyTokens(DomainError):
    """The player holds as many tokens as one may."""

    code = "too_many_tokens"
