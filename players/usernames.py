"""What a username may be."""

import re

SHORTEST, LONGEST = 3, 20
PATTERN = re.compile(r"[A-Za-z0-9_-]{3,20}\Z")
GUEST_PREFIX = "guest-"
RESERVED = frozenset(
    "admin administrator anonymous api chance computer everybody guest kickabout me moderator nobody organiser "
    "player red referee root staff support system yellow".split()
)


def is_well_formed(username: str) -> bool:
    """Whether the name is 3 to 20 letters, digits, hyphens or underscores (ASCII)."""
    return PATTERN.match(username) is not None


def is_reserved(username: str) -> bool:
    """Whether the name is kept for guests, the computer or the staff."""
    folded = username.lower()
    return folded in RESERVED or folded.startswith(GUEST_PREFIX)
