"""A player's own check-in before the start, in JSON."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict

from tournaments.models import Entry, WaitingPlayer


class OwnCheckInSchema(TypedDict):
    """The check-in of a player."""

    checked_in_at: datetime | None


def own_check_in_to_json(place: Entry | WaitingPlayer) -> OwnCheckInSchema:
    """Return when the player of an entry, or of a place on the waiting list, has checked in."""
    return {"checked_in_at": place.checked_in_at}
