"""A check whether a text from outside can be stored."""

MAX_LENGTH = 4096


def is_storable(value: str) -> bool:
    """Return whether the value can be stored and hashed: no null characters, no lone surrogates."""
    try:
        return len(value) <= MAX_LENGTH and b"\0" not in value.encode()
    except UnicodeEncodeError:
        return False
