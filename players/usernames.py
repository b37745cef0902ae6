"""The rules of usernames."""

import re
import secrets

MAX_LENGTH = 20
MIN_BEGINNING = 2
"""The fewest characters of a username that have to be known to find it by its beginning."""
MIN_PART = 3
"""The fewest by which it is found wherever they stand: an index of groups of three letters has nothing shorter."""

PATTERN = re.compile(r"[A-Za-z0-9_-]{3,20}\Z")
BEGINNING = re.compile(r"[A-Za-z0-9_-]+")
COMPUTER = "computer"
GUEST_PREFIX = "guest-"
CLOSED_PREFIX = "closed-"
RESERVED = frozenset(
    "admin administrator anonymous api chance everybody guest guests kickabout me moderator nobody null organiser "
    "player red referee root staff support system yellow".split()
)

_GUEST_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def is_well_formed(username: str) -> bool:
    """Return whether the name is 3 to 20 letters, digits, hyphens or underscores (ASCII)."""
    return PATTERN.match(username) is not None


def is_reserved(username: str) -> bool:
    """Return whether the name is kept for guests, computers, closed accounts or the staff, in any case of letters."""
    folded = username.lower()
    return folded in RESERVED or folded.startswith((COMPUTER, GUEST_PREFIX, CLOSED_PREFIX))


def computer_name(level: str) -> str:
    """Return the name of the computer of a level, such as ``computer-club``."""
    return f"{COMPUTER}-{level}"


def draw_guest_name() -> str:
    """Return a name such as ``guest-7hk2mxpa``: 10^11 of them, without letters that look alike."""
    return GUEST_PREFIX + "".join(secrets.choice(_GUEST_LETTERS) for _ in range(8))
