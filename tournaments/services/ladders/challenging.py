"""Challenges on a challenge ladder."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from players.models import Player
from players.selectors import check_is_open
from rules_engine.values import BySide
from tournaments.errors import ChallengeRefused, EntryNotFound, WrongEventStatus
from tournaments.models import Entry, EventStatus, Fixture, Ladder, LadderSystem
from tournaments.selectors.ladders import read_challenge_ladder
from tournaments.services.catch_up import catch_up
from tournaments.services.fixtures import add_fixture
from tournaments.services.ladders.waiting import note_waiting
from tournaments.services.locking import lock_event


def challenge(*, ladder_id: int, challenger: Player, opponent: Player, now: datetime) -> Fixture:
    """Start a game against somebody above on a challenge ladder, and return it; the challenger has Yellow.

    Raises ``EntryNotFound`` where one of both is not in the event, ``WrongEventStatus`` where it is not
    a running challenge ladder, ``AccountClosed``, and ``ChallengeRefused`` with the reason.
    """
    check_is_open(challenger)
    check_is_open(opponent)
    with transaction.atomic():
        event = lock_event(event_id=ladder_id)
        catch_up(event=event, now=now)
        ladder = Ladder.objects.filter(pk=ladder_id, system=LadderSystem.CHALLENGE).first()
        if ladder is None or event.status != EventStatus.RUNNING:
            raise WrongEventStatus("Players challenge each other on a challenge ladder that is running.")
        note_waiting(ladder=ladder)
        entries = {
            entry.player_id: entry
            for entry in Entry.objects.filter(event=event, player__in=[challenger, opponent]).select_related("player")
        }
        if challenger.pk not in entries or opponent.pk not in entries:
            raise EntryNotFound("Both players have to be on the ladder.")
        one, other = entries[challenger.pk], entries[opponent.pk]
        state = read_challenge_ladder(ladder, now, only=[one.pk, other.pk])
        refusal = state.reason_not(one.pk, other.pk, now)
        if refusal is not None:
            raise ChallengeRefused(refusal.sentence, obstacle=refusal.obstacle)
        return add_fixture(event=ladder, sides=sides_of_challenge(one, other), challenger=one, now=now)


def sides_of_challenge(challenger: Entry, opponent: Entry) -> BySide[Entry]:
    """Return who plays which side: Red, who does not kick off, is for the player who is challenged."""
    return BySide(challenger, opponent)
