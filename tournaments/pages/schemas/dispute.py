"""Disputes of results, in JSON."""

from datetime import datetime
from typing import TypedDict

from tournaments.models import Dispute
from tournaments.office.sentences import public_text


class DisputeSchema(TypedDict):
    """A player's dispute of the result of a match."""

    id: int
    fixture: int
    match: int | None
    player: str
    text: str
    disputed_at: datetime
    is_open: bool
    """True while it waits for the organisers. Another result settles it, too."""
    dismissed_at: datetime | None
    """The moment at which organisers let the result stand, null where they have not."""
    reason: str
    """Why they did; empty where they have not."""


def dispute_to_json(dispute: Dispute) -> DisputeSchema:
    """Return a dispute that was read with ``is_open``."""
    dismissal = dispute.dismissal
    return {
        "id": dispute.pk,
        "fixture": dispute.fixture_id,
        "match": dispute.fixture.match_id,
        "player": dispute.player.username,
        "text": dispute.text,
        "disputed_at": dispute.disputed_at,
        "is_open": vars(dispute)["is_open"],
        "dismissed_at": None if dismissal is None else dismissal.logged_at,
        "reason": "" if dismissal is None else public_text(dismissal),
    }
