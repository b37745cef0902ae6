"""The rights of those who run a competition: a right for each kind of act, and the roles that have them."""

from collections.abc import Mapping
from enum import StrEnum


class Right(StrEnum):
    """A right that not everybody has in a competition.

    With either of them come the organisers' pages, to read.
    """

    DECIDE = "decide"
    """Decide single matches, and take such decisions back."""
    ORGANISE = "organise"
    """Everything else: options, entries, draws, rounds, start and end, and who organises."""


class Role(StrEnum):
    """The part of somebody in running a competition."""

    ORGANISER = "organiser"
    HELPER = "helper"


RIGHTS: Mapping[Role, frozenset[Right]] = {
    Role.ORGANISER: frozenset(Right),
    Role.HELPER: frozenset({Right.DECIDE}),
}
"""The rights of each role. A superuser has the rights of an organiser everywhere."""

NO_RIGHTS: frozenset[Right] = frozenset()


def roles_with(right: Right) -> frozenset[Role]:
    """Return the roles that have a right."""
    return frozenset(role for role, rights in RIGHTS.items() if right in rights)
