"""Refusals of requests' bodies."""

from django.utils.translation import gettext as _

from web.errors import DomainError


class BodyTooLarge(DomainError):
    """The body is larger than this URL accepts."""

    code = "too_large"

    def __init__(self, max_size: int) -> None:
        """Make the refusal with the number of bytes that are accepted."""
        super().__init__(
            _("The body is larger than {number:,} bytes, the most that is accepted here.").format(number=max_size)
        )


class BodyTooSlow(DomainError):
    """The body has not arrived in time."""

    code = "body_timeout"

    def __init__(self, seconds: int) -> None:
        """Make the refusal with the number of seconds that a body has."""
        super().__init__(
            _("The request did not arrive within {seconds} seconds. Send it again.").format(seconds=seconds)
        )
