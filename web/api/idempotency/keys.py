"""The keys by which clients mark a request that is sent again."""

from datetime import timedelta

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter

from web.errors import InvalidIdempotencyKey

KEY_HEADER = "Idempotency-Key"

KEY_LIFETIME = timedelta(hours=24)
"""The time for which the same key means the same request."""

IDEMPOTENCY_KEY = OpenApiParameter(
    KEY_HEADER,
    str,
    OpenApiParameter.HEADER,
    description=(
        "Anything unique. The same request with the same key is answered the same for "
        f"{KEY_LIFETIME // timedelta(hours=1)} hours."
    ),
)

MAX_KEY_LENGTH = 255


def read_key(header: str) -> str:
    """Return the key that a header gives, without the space around it.

    Raises ``InvalidIdempotencyKey`` unless it is 1 to 255 printable ASCII characters.
    """
    key = header.strip(" \t")
    if not (key.isascii() and key.isprintable() and 1 <= len(key) <= MAX_KEY_LENGTH):
        raise InvalidIdempotencyKey(_("An Idempotency-Key has 1 to 255 printable ASCII characters."))
    return key
