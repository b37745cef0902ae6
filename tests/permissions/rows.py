"""Rows of the table of permissions: the statuses that each role gets, in the order of ``ROLES``.

A match is anna's (yellow, to act) against piotr; a seek is anna's invitation to piotr; the API token and the day of
vacation are anna's. A running cup is played by piotr and carla, and an open ladder was entered by piotr: both are
olga's, hanna helps in both, ines is invited to both, to play and to help, and anna is on the waiting lists of both.
Otto organises another ladder. Olga, otto and stan are on the staff, stan organises nothing. Boss is a superuser, who
organises everything, and has no more rights outside the admin than that.
"""

ROLES = ("visitor", "anna", "piotr", "carla", "hanna", "ines", "olga", "otto", "stan", "boss")
STAFF = frozenset({"olga", "otto", "stan"})

Row = tuple[int, ...]


def everybody(status: int) -> Row:
    """Return the same for all."""
    return (status,) * len(ROLES)


def members(visitor: int, status: int) -> Row:
    """Return the same for all who have an account."""
    return (visitor, *(status,) * 9)


def owners(visitor: int, *, anna: int, piotr: int, others: int) -> Row:
    """Return what belongs to anna, or to anna and the opponent piotr."""
    return (visitor, anna, piotr, *(others,) * 7)


def entrants(visitor: int, *, piotr: int, carla: int, others: int) -> Row:
    """Return what those who play a competition may do; its organisers are nobody special there."""
    return (visitor, others, piotr, carla, *(others,) * 6)


def invited(visitor: int, *, ines: int, others: int) -> Row:
    """Return what may do who was invited to a competition and has not answered."""
    return (visitor, *(others,) * 4, ines, *(others,) * 4)


def organisers(visitor: int, *, olga: int, hanna: int = 403) -> Row:
    """Return what a competition's organiser may do, and a superuser, and perhaps a helper, and nobody else."""
    return (visitor, 403, 403, 403, hanna, 403, olga, 403, 403, olga)


def staff(*, olga: int, others: int, boss: int) -> Row:
    """Return pages of the admin: everybody else is led to the log-in, which refuses who is no staff."""
    return (302, 302, 302, 302, 302, 302, olga, others, others, boss)
