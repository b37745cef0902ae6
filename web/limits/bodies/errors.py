"""The largest body of a request, by its path, and refusals of bodies."""

import re

from django.conf import settings
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


IMPORTS = re.compile(r"/import/\Z|\A/replay/\Z|\A/api/v1/replays/\Z")
"""The paths that accept lists and records, which are longer than what people type."""

REFUSAL = "kickabout.body_refusal"
"""The key of an ASGI scope or a WSGI environment under which the refusal of its body is stored."""


def max_size_of(path: str) -> int:
    """Return the largest size of a body in bytes."""
    size: int = settings.MAX_IMPORT_SIZE if IMPORTS.search(path) else settings.MAX_BODY_SIZE
    return size


def read_length(header: str | bytes | None) -> int:
    """Return the length that a ``Content-Length`` header announces; 0 if it announces none."""
    try:
        return int(header or 0)
    except ValueError:
        return 0
