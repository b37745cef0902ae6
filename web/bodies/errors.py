"""Why the body of a request is refused."""

from __future__ import annotations

from django.utils.translation import gettext as _

from web.errors import DomainError


class BodyTooLarge(DomainError):
    """The body is larger than is accepted at this URL."""

    code = "too_large"

    def __init__(self, max_size: int) -> None:
        """State how many bytes are accepted."""
        super().__init__(
            _("The body is larger than {number:,} bytes, the most that is accepted here.").format(number=max_size)
        )


class BodyTooSlow(DomainError):
    """The body has not come in time."""

    code = "body_timeout"

    def __init__(self, seconds: int) -> None:
        """State how many seconds a body has."""
        super().__init__(
            _("The request did not arrive within {seconds} seconds. Send it again.").format(seconds=seconds)
        )
