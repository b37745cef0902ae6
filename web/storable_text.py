"""Which texts from outside can be kept."""

MAX_LENGTH = 4096


def is_storable(value: str) -> bool:
    """Return whether a database and a hash can take the value: no null characters, no halves of surrogate pairs."""
    try:
        return len(value) <= MAX_LENGTH and b"\0" not in value.encode()
    except UnicodeEncodeError:
        return False
