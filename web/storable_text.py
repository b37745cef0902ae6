"""Checks of texts from outside: whether they can be stored, and which characters of them every format can hold."""

import unicodedata

MAX_LENGTH = 4096


def is_storable(value: str) -> bool:
    """Return whether the value can be stored and hashed: no null characters, no lone surrogates."""
    try:
        return len(value) <= MAX_LENGTH and b"\0" not in value.encode()
    except UnicodeEncodeError:
        return False


def printable(value: str) -> str:
    """Return the text without control characters, which some formats cannot hold; line breaks stay."""
    return "".join(each for each in value if each == "\n" or unicodedata.category(each) != "Cc")
