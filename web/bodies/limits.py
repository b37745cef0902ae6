"""How large the body of a request may be, by its path."""

from __future__ import annotations

import re

from django.conf import settings

IMPORTS = re.compile(r"/import/\Z|\A/replay/\Z|\A/api/v1/replays/\Z")
"""The paths that take lists and records from elsewhere, which are longer than what people type."""

REFUSAL = "kickabout.body_refusal"
"""Where an ASGI scope or a WSGI environment holds the refusal of its body."""


def max_size_of(path: str) -> int:
    """Return how many bytes a body may have."""
    size: int = settings.MAX_IMPORT_SIZE if IMPORTS.search(path) else settings.MAX_BODY_SIZE
    return size


def read_length(header: str | bytes | None) -> int:
    """Return the length that a ``Content-Length`` header announces; 0 if it announces none."""
    try:
        return int(header or 0)
    except ValueError:
        return 0
