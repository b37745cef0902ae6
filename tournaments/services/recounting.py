"""Counting an event once more after one of its results has been changed or taken back."""

from __future__ import annotations

from datetime import datetime

from tournaments.models import CupFormat, Event, LadderSystem
from tournaments.selectors.events import find_cup, find_ladder
from tournaments.services.cups.repairing import repair_bracket
from tournaments.services.ladders.climbing import replay_challenges
from tournaments.services.standings import want_standings


def recount_event(*, event: Event, now: datetime) -> None:
    """Let positions, ties and winners follow from what counts now, and the table of any event.

    The caller holds the event's lock.
    """
    ladder = find_ladder(event)
    if ladder is not None and ladder.system == LadderSystem.CHALLENGE:
        replay_challenges(ladder_id=event.pk)
    cup = find_cup(event)
    if cup is not None and cup.format == CupFormat.ELIMINATION and cup.started_at is not None:
        repair_bracket(cup=cup, now=now)
    want_standings(event_id=event.pk, now=now)
