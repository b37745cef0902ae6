"""The largest body of a request, by its path."""

import re

from django.conf import settings

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
