"""Moving a cup on after a result."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from tournaments.models import Cup, Entry, EventStatus, Tie
from tournaments.services.cups.placing import place_entrants
from tournaments.services.cups.rounds import move_rounds_on
from tournaments.services.cups.ties import load_ties, play_ties
from tournaments.services.locking import lock_event


def advance_tie(*, tie: Tie, now: datetime) -> bool:
    """Decide a tie by the results counted so far, or start the legs that it needs next.

    A decided tie sends its entrants on; rounds and the cup end where it was their last. Return whether
    this call decided it. Again has no effect, and two workers at once are one after the other.
    """
    with transaction.atomic():
        lock_event(event_id=tie.round.cup_id)
        cup = Cup.objects.get(pk=tie.round.cup_id)
        fresh = Tie.objects.select_related("round", "first__player", "second__player").get(pk=tie.pk)
        if cup.status == EventStatus.FINISHED:
            # The result of a tie that somebody's withdrawal had decided.
            place_entrants(cup=cup)
        if cup.status != EventStatus.RUNNING or fresh.decided_at is not None:
            return False
        if play_ties(cup=cup, ties=[fresh], now=now):
            move_rounds_on(cup=cup, now=now)
        return fresh.decided_at is not None


def advance_cup(*, cup_id: int, now: datetime, entry: Entry | None = None) -> None:
    """Move on what can move on in a running cup: ties (only the entrant's, if one is given), rounds, the cup itself.

    Again has no effect.
    """
    with transaction.atomic():
        lock_event(event_id=cup_id)
        cup = Cup.objects.get(pk=cup_id)
        if cup.status != EventStatus.RUNNING:
            return
        play_ties(cup=cup, ties=load_ties(cup=cup, entry=entry, begun_only=cup.round_days is not None), now=now)
        move_rounds_on(cup=cup, now=now)
