"""A pause of the site as JSON."""

from datetime import datetime
from typing import TypedDict

from matches.models import SitePause


class SitePauseSchema(TypedDict):
    """A span of time that counts for no clock: a pause of the whole site, or an outage whose time was given back."""

    id: int
    begins_at: datetime
    ends_at: datetime | None
    """Null while the pause lasts: then all clocks stand still, and nobody can move."""
    expected_until: datetime | None
    """The moment until which a pause is expected to last, null if that is not known."""
    reason: str


def site_pause_to_json(pause: SitePause) -> SitePauseSchema:
    """Return a pause of the site."""
    return {
        "id": pause.pk,
        "begins_at": pause.begins_at,
        "ends_at": pause.ends_at,
        "expected_until": pause.expected_until,
        "reason": pause.reason,
    }
