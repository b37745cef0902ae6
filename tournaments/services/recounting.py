"""Counting an event once more after one of its results has been changed or taken back."""

from __future__ import annotations

from datetime import datetime

from tournaments.models import Event, LadderSystem
from tournaments.selectors.events import find_ladder
from tournaments.services.ladders.climbing import replay_challenges
from tournaments.services.standings import want_standings


def recount_event(*, event: Event, now: datetime) -> None:
    """Let the positions of a challenge ladder follow from what counts now, and the table of any event.

    The caller holds the event's lock.
    """
    ladder = find_ladder(event)
    if ladder is not None and ladder.system == LadderSystem.CHALLENGE:
        replay_challenges(ladder_id=event.pk)
    want_standings(event_id=event.pk, now=now)
