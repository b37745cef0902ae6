"""Checks of texts from outside: whether they can be stored, and which characters of them every format can hold."""

import re

MAX_LENGTH = 4096

UNPRINTABLE = re.compile("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot carry, and further control characters."""


def is_storable(value: str) -> bool:
    """Return whether the value can be stored and hashed: no null characters, no lone surrogates."""
    try:
        return len(value) <= MAX_LENGTH and b"\0" not in value.encode()
    except UnicodeEncodeError:
        return False


def printable(value: str) -> str:
    """Return the text without what XML, headers and other formats cannot carry; line breaks and tabs stay."""
    return UNPRINTABLE.sub("", value)
